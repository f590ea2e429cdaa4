"""The hook in, its time at a tool call beside that of a Python that does nothing out."""

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from bench.made import fill
from bench.timing import Case, Result, measure, nothing
from lessons.agents import hook_command
from lessons.agents.claude_code import install
from lessons.hook import bundle

QUIET = "cd /home/dev/project && npm run build 2>&1 | tail -20 && git status --short"
MATCHING = "git stash"
ELSEWHERE = "cd api && npm test"
RIGHT = "cd src && npm test"
_FLOOR = "python -I -S -c pass"
Calls = dict[str, tuple[list[str], Callable[[int], bytes]]]  # a command line, and what it reads in each round


def _payload(command: str, folder: str = "/home/dev/project") -> Callable[[int], bytes]:
    return payloads([Step(command, folder)])


class Step(NamedTuple):
    """A call of a shell; with its error once it has failed."""

    command: str
    folder: str
    error: str = ""


def payloads(steps: Sequence[Step]) -> Callable[[int], bytes]:
    """The steps in turn; each round is a session of its own, so that the same is shown every time."""

    def made(number: int) -> bytes:
        session = f"bench-{os.getpid()}-{number}"
        command, folder, error = steps[number % len(steps)]
        payload: dict[str, object] = {
            "session_id": session,
            "transcript_path": f"/home/dev/.claude/projects/-home-dev-project/{session}.jsonl",
            "cwd": folder,
            "prompt_id": "e9b474a6-317e-4067-a92d-908a67664aa8",
            "permission_mode": "default",
            "effort": {"level": "medium"},
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command, "description": "a step"},
            "tool_use_id": f"toolu_{number}",
        }
        if error:
            payload |= {"hook_event_name": "PostToolUseFailure", "error": error, "is_interrupt": False}
        return json.dumps(payload).encode()

    return made


def at(count: int, rounds: int, fast: bool = True) -> dict[str, Result]:
    """The installed command line, as the agent runs it, with so many lessons; `fast` off: without the index."""
    with _installed(count) as (folder, home, line):
        if not fast:
            os.unlink(os.path.join(home, "hook-index"))
        bare = [hook_command.usable_interpreter(), "-I", "-S", hook_command.entry_file(), "PreToolUse"]
        calls = {
            "no match": (line, _payload(QUIET)),
            "match": (line, _payload(MATCHING)),
            "no match, Python alone": (bare, _payload(QUIET)),
            "match, Python alone": (bare, _payload(MATCHING)),
        }
        return _measured(calls, home, folder, rounds)


def with_state(count: int, rounds: int) -> dict[str, Result]:
    """The same where one lesson in ten asks for the state of the machine, in a project of a few folders."""
    with _installed(count, True) as (folder, home, line):
        project = os.path.join(folder, "project")
        here = os.path.join(project, "packages", "web")
        for place in (".git", "api", "packages/web/src"):
            os.makedirs(os.path.join(project, place))
        calls = {
            "no match": (line, _payload(QUIET, here)),
            "match": (line, _payload(ELSEWHERE, here)),
            "pattern matches, state does not": (line, _payload(RIGHT, here)),
        }
        return _measured(calls, home, folder, rounds)


def with_paths(count: int, rounds: int) -> dict[str, Result]:
    """The check of relative paths, in a sub-folder of a project."""
    with _installed(count) as (folder, home, line):
        project = os.path.join(folder, "project")
        here = os.path.join(project, "packages", "web")
        for place in (".git", "docs/api", "packages/web/src/app"):
            os.makedirs(os.path.join(project, place))
        calls = {
            "no path": (line, _payload("npm run build 2>&1", here)),
            "path exists": (line, _payload("ls src/app && npm run build 2>&1 | tail -20", here)),
            "path after a cd exists": (line, _payload(f"cd {project} && ls 'docs/api' | head -5", here)),
            "a further cd, quoted": (line, _payload("cd src && ls 'app' && cd ../src/app", here)),
            "path exists above": (line, _payload("ls docs/api", here)),
            "path exists above, quoted": (line, _payload("ls 'docs/api' | head -5", here)),
        }
        return _measured(calls, home, folder, rounds)


@contextmanager
def _installed(count: int, state: bool = False) -> Iterator[tuple[str, str, list[str]]]:
    """A folder, a data home with so many lessons in it, and the command line of the hook."""
    bundle.refresh()
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        home = os.path.join(folder, "data")
        fill(home, count, state)
        hook_command.write_script(hook_command.places_of(home))
        yield folder, home, ["/bin/sh", "-c", install.INSTALLER.hook_commands(home)["PreToolUse"]]


def _measured(calls: Calls, home: str, folder: str, rounds: int) -> dict[str, Result]:
    return {result.name: result for result in measure(cases(calls, home, folder), rounds)}


def cases(calls: Calls, home: str, folder: str) -> list[Case]:
    """The floor first."""
    environment = {"PATH": os.environ["PATH"], "LESSONS_HOME": home, "TMPDIR": folder}
    floor = Case(_FLOOR, [hook_command.usable_interpreter(), "-I", "-S", "-c", "pass"], nothing, environment)
    return [floor, *(Case(name, line, payload, environment) for name, (line, payload) in calls.items())]
