"""Every hook line exits with 0 even if the shell cannot start a process or open a file, in any shell.

A hook that exits with 2 blocks the call, and a shell that cannot fork exits with 2 by itself.
"""

import json
import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from lessons.agents.claude_code.server.registration import handlers
from lessons.agents.claude_code.settings import REGISTRATIONS
from lessons.agents.hook_command import build_command, build_fallback
from tests.plugin.machine import PLUGIN
from tests.shells import SHELLS, program
from tests.sizes import size

# The superuser may start as many processes as it likes.
NOBODY = 65534 if os.geteuid() == 0 else None
NO_PROCESS = {resource.RLIMIT_NPROC: 0}
LIMITS = {
    "no process": NO_PROCESS,
    "no process, 4 files": {**NO_PROCESS, resource.RLIMIT_NOFILE: 4},
    # A shell keeps its own files from number 10 on: around that everything fails at another place.
    **{f"{count} files": {resource.RLIMIT_NOFILE: count} for count in (4, 5, 7, 10, 11, 12, 13, 14, 16)},
    "no file may grow": {resource.RLIMIT_FSIZE: 0},
    "24 MB": {resource.RLIMIT_AS: 24 << 20},
}
# errexit and nounset, as an administrator's own `sh` may have them set.
STRICT = ("-e", "-u")
# Where busybox cannot redirect it ends with 1, which blocks nothing, before any trap can run. So many files are needed
# there by lines that redirect in the shell itself: those beside a resident server, and the plugin's script.
NEEDS_FILES = {"beside": 12, "plugin": 13}
# In `make test` those that once ended with 2; in `make stress` every one.
TRIED = LIMITS if size("EVERY_KIND", 0) else ["no process", "4 files", "12 files"]


@dataclass(frozen=True)
class Line:
    """A command as a client runs it; the kind says which of `NEEDS_FILES` it is."""

    name: str
    command: str
    kind: str = ""
    environment: tuple[tuple[str, str], ...] = ()


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """One that everybody may look into, which the folder of a test is not."""
    with tempfile.TemporaryDirectory(prefix="lessons-limits-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def installed_lines(folder: Path, python: str) -> list[Line]:
    """Start a program that anybody may run, so that only the limits keep it from starting."""
    home = folder / "home"
    for place in (home / "fired", home / "warm"):
        place.mkdir(parents=True, exist_ok=True)
        place.chmod(0o777)
    lines = [
        Line(event, build_command(event, python, "/etc/passwd", str(home), "/bin/true")) for event in REGISTRATIONS
    ]
    fallback = build_fallback("PreToolUse", python, "/etc/passwd", str(folder / "home without a server"))
    [_, beside] = handlers("lessons", fallback, 5)
    assert (beside["command"], beside["args"][0]) == ("/bin/sh", "-c")
    return [*lines, Line("behind a server", beside["args"][1])]


def beside_a_server(folder: Path, python: str) -> Line:
    """The file of a server that is gone: the line has to read it, and the state of a process."""
    home = folder / "home"
    (home / "warm" / str(os.getpid())).write_text("2147483646\n")
    return Line("beside a server", build_fallback("PreToolUse", python, "/etc/passwd", str(home)), "beside")


def plugin_lines(folder: Path, python: str) -> list[Line]:
    root, data = folder / "plugin", folder / "data"
    if not root.exists():
        shutil.copytree(PLUGIN, root, ignore=shutil.ignore_patterns("src", "__pycache__"))
        (root / "setup" / "setup.sh").write_text("exit 0\n")
        data.mkdir()
        data.chmod(0o777)
    (data / "installation").write_text(f"0\n{python}\n/etc/passwd\n/bin/true\n{folder / 'home'}\n")
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
    surroundings = (("CLAUDE_PLUGIN_ROOT", str(root)), ("CLAUDE_PLUGIN_DATA", str(data)))
    return [
        Line(f"plugin, {event}", group["hooks"][0]["command"], "plugin", surroundings)
        for event, [group] in hooks.items()
    ]


def start(shell: str, line: Line, limits: Mapping[int, int], options: tuple[str, ...]) -> subprocess.Popen[bytes]:
    def confine() -> None:
        for kind, most in limits.items():
            resource.setrlimit(kind, (most, most))

    pipe = subprocess.PIPE
    return subprocess.Popen(
        ["sh", *options, "-c", line.command],
        executable=program(shell),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        preexec_fn=confine,
        user=NOBODY,
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "HOME": "/", **dict(line.environment)},
    )


def wrong(shell: str, lines: list[Line], limits: Mapping[int, int], options: tuple[str, ...] = ()) -> list[str]:
    """Every line that ends with another code. All run at once: bash tries for 14 seconds to fork."""
    running = [(line, start(shell, line, limits, options)) for line in lines]
    found = []
    for line, process in running:
        said, error = process.communicate(b"{}", timeout=60)
        files = limits.get(resource.RLIMIT_NOFILE, 1024)
        allowed = (0, 1) if shell == "busybox" and files < NEEDS_FILES.get(line.kind, 0) else (0,)
        if process.returncode not in allowed:
            found.append(f"{line.name} {options}: {process.returncode} {said!r} {error.decode()}")
    return found


@pytest.mark.parametrize("limit", TRIED)
@pytest.mark.parametrize("shell", SHELLS)
def test_every_line_ends_with_0(shell: str, limit: str, folder: Path) -> None:
    found = []
    # Python does its work, or it cannot.
    for python, options in (("/bin/true", STRICT), ("/bin/false", ())):
        lines = [*installed_lines(folder, python), beside_a_server(folder, python), *plugin_lines(folder, python)]
        found += wrong(shell, lines, LIMITS[limit], options)
        if limit.startswith("no process"):
            break  # neither is started
    assert not found, "\n".join(found)


@pytest.mark.parametrize("shell", SHELLS)
def test_without_a_limit_the_lines_answer(shell: str, folder: Path) -> None:
    """Else it would be no wonder that they end well."""
    python = folder / "answers"
    python.write_text("#!/bin/sh\nprintf '%s' '{\"answer\": 1}'\nexit 2\n")
    python.chmod(0o755)
    for line in (*installed_lines(folder, str(python)), *plugin_lines(folder, str(python))):
        process = start(shell, line, {}, STRICT)
        said, error = process.communicate(b"{}", timeout=60)
        assert (process.returncode, error) == (0, b""), line
        assert '"answer": 1' in said.decode(), line


@pytest.mark.parametrize("shell", SHELLS)
def test_nobody_listens(shell: str, folder: Path) -> None:
    """What is written to a pipe without a reader kills the writer, or fails."""
    python = folder / "waits"
    python.write_text("#!/bin/sh\nread line\nprintf '%s' '{\"answer\": 1}'\n")
    python.chmod(0o755)
    for line in (*installed_lines(folder, str(python)), *plugin_lines(folder, str(python))):
        process = start(shell, line, {}, STRICT)
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()
        process.stdin.write(b"{}\n")
        process.stdin.close()
        process.stderr.read()
        assert process.wait(60) == 0, line


def test_without_a_trap_the_shell_ends_with_2(folder: Path) -> None:
    line = Line("untrapped", "/bin/true; exit 0")
    process = start("dash", line, NO_PROCESS, ())
    process.communicate(timeout=60)
    assert process.returncode == 2
    assert wrong("dash", [replace(line, command="trap 'exit 0' EXIT; /bin/true; exit 0")], NO_PROCESS) == []
