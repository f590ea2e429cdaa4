"""Every hook line answers in any shell, and exits with 0 if the shell cannot start a process or open a file.

`tests/agents/test_hook_command_limits.py` tries all limits; here are those that most shells once failed at.
"""

import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.confined import STRICT, Limit, Place, on_machine_with, start, wrong
from tests.shells import SHELLS

NO_PROCESS = {resource.RLIMIT_NPROC: 0}
LIMITS = {
    "no process": Limit(NO_PROCESS),
    "4 files": Limit({resource.RLIMIT_NOFILE: 4}),
    "12 files": Limit({resource.RLIMIT_NOFILE: 12}),
}


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """In a folder that everybody may look into, which the folder of a test is not."""
    with tempfile.TemporaryDirectory(prefix="lessons-limits-", dir="/tmp") as name:
        yield Place(Path(name))


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("shell", SHELLS)
def test_every_line_ends_with_0(shell: str, limit: str, place: Place) -> None:
    pythons = [("/bin/true", STRICT), ("/bin/false", ())]
    # Where no process can be started it does not matter which one.
    found = wrong(place, shell, {limit: LIMITS[limit]}, pythons[: 1 if limit == "no process" else 2], every=True)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("shell", SHELLS)
def test_without_a_limit_the_lines_answer(shell: str, place: Place) -> None:
    """Else it would be no wonder that they end well."""
    sh, python = place.as_sh(shell), place.program("answers", "printf '%s' '{\"answer\": 1}'\nexit 2")
    for line in place.lines(python):
        process = start(sh, on_machine_with(sh, line), Limit(), STRICT)
        said, error = process.communicate(b"{}", timeout=60)
        assert (process.returncode, error) == (0, b""), line
        assert '"answer": 1' in said.decode(), line


@pytest.mark.parametrize("shell", SHELLS)
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
