"""Every agent's hook line exits with 0 in any shell, whatever the system refuses: else an agent denies the call.

A shell that cannot start or allocate anything itself is out of reach: there `sh -c 'exit 0'` fails in the same way.
"""

import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lessons.agents.hook_lines import in_posix_shell
from lessons.agents.table import AGENTS
from tests.agents.confined import (
    NOTHING,
    STRICT,
    WITHOUT_LINES,
    Limit,
    Line,
    Place,
    exit_codes,
    on_machine_with,
    start,
    wrong,
)
from tests.shells import SHELLS
from tests.sizes import size

EVERY_SHELL = bool(size("EVERY_SHELL", 0))
TRIED = [*SHELLS] if EVERY_SHELL else ["dash"]
# Python cannot do its work, or it can.
PYTHONS = (("/bin/false", STRICT), ("/bin/true", ()))[: 2 if EVERY_SHELL else 1]
UNLIMITED = Limit()
NO_PROCESS = {resource.RLIMIT_NPROC: 0}
# A shell keeps its own files from number 10 on: around that everything fails at another place.
FILES = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16)
# From what the loader of a shell lacks up to what only Python lacks.
MEGABYTES = (1, 2, 3, 4, 5, 6, 8, 12, 24)
# Other systems refuse to set these below what a process has.
MEMORY = MEGABYTES if sys.platform == "linux" else ()

LIMITS = {
    "no limit": UNLIMITED,
    "no process": Limit(NO_PROCESS),
    "one process": Limit({resource.RLIMIT_NPROC: 1}),
    "no process, 4 files": Limit({**NO_PROCESS, resource.RLIMIT_NOFILE: 4}),
    "no process, 8 files": Limit({**NO_PROCESS, resource.RLIMIT_NOFILE: 8}),
    **{f"{count} files": Limit({resource.RLIMIT_NOFILE: count}) for count in FILES},
    **{f"{count} MB": Limit({resource.RLIMIT_AS: count << 20}) for count in MEMORY},
    "no file may grow": Limit({resource.RLIMIT_FSIZE: 0}),
    "a second of processor time": Limit({resource.RLIMIT_CPU: 1}),
    "processor time is used up": Limit(python="kill -XCPU $$"),
    "no temporary folder": Limit(environment={"TMPDIR": "/nowhere"}),
    "a temporary folder that is read-only": Limit(environment={"TMPDIR": "/proc"}),
    "no Python": Limit(python="/nowhere/python"),
    "no entry file": Limit(entry="/nowhere/entry.py"),
    "stdin is closed": Limit(closed=(0,)),
    "stdout is closed": Limit(closed=(1,)),
    "stderr is closed": Limit(closed=(2,)),
    "all is closed": Limit(closed=(0, 1, 2)),
}
# A test for each: bash waits for 14 seconds in those of the first, so they share that time.
GROUPS = {
    "processes": [name for name in LIMITS if "process" in name and "processor" not in name],
    "files": [name for name in LIMITS if name[0].isdigit() and name.endswith(" files")],
    "memory": [name for name in LIMITS if name.endswith(" MB")],
}
GROUPS["others"] = [name for name in LIMITS if not any(name in group for group in GROUPS.values())]


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """In a folder that everybody may look into, which the folder of a test is not."""
    with tempfile.TemporaryDirectory(prefix="lessons-limits-", dir="/tmp") as name:
        yield Place(Path(name))


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("shell", TRIED)
def test_every_line_exits_with_0(shell: str, group: str, place: Place) -> None:
    found = wrong(place, shell, {name: LIMITS[name] for name in GROUPS[group]}, PYTHONS)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("shell", TRIED)
def test_what_is_in_reach(shell: str, place: Place) -> None:
    """Only the loader's limits are out of reach: any other one would be an excuse."""
    sh = place.as_sh(shell)
    codes = exit_codes(sh, ((NOTHING, limit, ()) for limit in LIMITS.values()))
    refused = [name for name, code in zip(LIMITS, codes, strict=True) if code]
    assert set(refused) <= {"3 files", "1 MB", "2 MB", "3 MB", "4 MB", "5 MB"}


def test_every_agent_is_tried(place: Place) -> None:
    """One line stands for another only if nothing but the event differs."""
    all_lines, few = place.lines("/bin/true"), place.lines("/bin/true", every=False)
    agents = {*AGENTS, "plugin"} - {*WITHOUT_LINES}
    for lines in (all_lines, few):
        assert {line.name.partition(", ")[0] for line in lines} == agents
    kinds = {line.command.replace(line.event, "") for line in all_lines if not line.name.startswith("plugin")}
    assert kinds <= {line.command.replace(line.event, "") for line in few}


def test_a_line_without_guard_would_be_found(place: Place) -> None:
    """A shell that cannot fork exits with 2, and so does one that cannot redirect."""
    limits = Limit(NO_PROCESS), LIMITS["8 files"]
    lines = Line("unguarded, ", "/bin/true; exit 0"), Line("unguarded, ", "exec /bin/true 2>/dev/null")
    runs = [(line, limit, ()) for line, limit in zip(lines, limits, strict=True)]
    assert exit_codes(place.as_sh("dash"), runs) == [2, 2]


def test_the_line_of_another_shell_starts_no_process(place: Place) -> None:
    """It becomes `sh`, so that it needs no process and ends when the client ends it."""
    line = Line("any, ", in_posix_shell("echo $$"))
    process = start(place.as_sh("dash"), line, UNLIMITED)
    said, _ = process.communicate(timeout=60)
    assert int(said) == process.pid


@pytest.mark.parametrize("shell", TRIED)
def test_a_client_that_ends_a_hanging_hook_waits_for_nobody(shell: str, place: Place) -> None:
    """Gemini CLI ends the shell, and then waits until nobody has its streams."""
    sh, began = place.as_sh(shell), place.folder / f"began-{shell}"
    began.touch()
    began.chmod(0o666)
    python = place.program(f"hangs-{shell}", f"echo $$ >'{began}'; exec sleep 60")
    [line] = [line for line in place.lines(python) if line.name == "gemini-cli, BeforeTool"]
    process = start(sh, on_machine_with(sh, line), UNLIMITED)
    try:
        give_up = time.monotonic() + 60
        while not began.read_text().endswith("\n") and time.monotonic() < give_up:
            time.sleep(0.01)
        process.kill()
        process.communicate(timeout=20)
        os.kill(int(began.read_text()), 0)  # it hangs still
    finally:
        os.kill(int(began.read_text()), signal.SIGKILL)


@pytest.mark.parametrize("shell", TRIED)
def test_nobody_listens(shell: str, place: Place) -> None:
    """What is written to a pipe without a reader kills the writer, or fails."""
    sh, python = place.as_sh(shell), place.program("waits", "read line\nprintf '%s' '{\"answer\": 1}'")
    for line in place.lines(python):
        process = start(sh, on_machine_with(sh, line), Limit(), STRICT)
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()
        process.stdin.write(b"{}\n")
        process.stdin.close()
        process.stderr.read()
        assert process.wait(60) == 0, line
