"""The hook in, its time at a tool call beside that of a Python that does nothing out."""

import json
import os
import tempfile
from collections.abc import Callable

from bench.made import fill
from bench.timing import Case, Result, measure, nothing
from lessons.agents.claude_code import install
from lessons.hook import bundle

QUIET = "cd /home/dev/project && npm run build 2>&1 | tail -20 && git status --short"
MATCHING = "git stash"
_FLOOR = "python -I -S -c pass"


def _payload(command: str) -> Callable[[int], bytes]:
    """Each round is a session of its own, so that the lesson is shown every time."""

    def made(number: int) -> bytes:
        session = f"bench-{os.getpid()}-{number}"
        payload = {
            "session_id": session,
            "transcript_path": f"/home/dev/.claude/projects/-home-dev-project/{session}.jsonl",
            "cwd": "/home/dev/project",
            "prompt_id": "e9b474a6-317e-4067-a92d-908a67664aa8",
            "permission_mode": "default",
            "effort": {"level": "medium"},
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command, "description": "a step"},
            "tool_use_id": f"toolu_{number}",
        }
        return json.dumps(payload).encode()

    return made


def at(count: int, rounds: int, fast: bool = True) -> dict[str, Result]:
    """The installed command line, as the agent runs it, with so many lessons; `fast` off: without the index."""
    bundle.refresh()
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        home = os.path.join(folder, "data")
        fill(home, count)
        if not fast:
            os.unlink(os.path.join(home, "hook-index"))
        environment = {"PATH": os.environ["PATH"], "LESSONS_HOME": home, "TMPDIR": folder}
        python = install.resolve_interpreter()
        line = ["/bin/sh", "-c", install.hook_commands(home)["PreToolUse"]]
        bare = [python, "-I", "-S", install.entry_file(), "PreToolUse"]
        cases = [
            Case(_FLOOR, [python, "-I", "-S", "-c", "pass"], nothing, environment),
            Case("no match", line, _payload(QUIET), environment),
            Case("match", line, _payload(MATCHING), environment),
            Case("no match, Python alone", bare, _payload(QUIET), environment),
            Case("match, Python alone", bare, _payload(MATCHING), environment),
        ]
        return {result.name: result for result in measure(cases, rounds)}
