"""Bash itself: whether it starts a program when it runs a line, in its own folder and with its own PATH.

The programs on that PATH are stubs that log their calls, and a few real ones that start others.
"""

import os
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer

TARGET = "pytest"
_STUBS = (TARGET, "diff", "git", "grep", "ls", "pip", "python", "rg", "which")
# They hand on what they read or start what they are told to.
REAL = (
    *("bash", "busybox", "cat", "dash", "env", "false", "find", "flock", "ionice", "nice", "nohup", "rm", "script"),
    *("setsid", "sh", "sort", "stdbuf", "taskset", "tee", "timeout", "true", "xargs", "zsh"),
)
_SECONDS = 20
# Each process has a file of its own: two that write at once would mix their words.
# A loop that waits for the program to fail ends, because it fails when it is called again.
_STUB = """#!/bin/sh
{ printf %s "${0##*/}"; for word in "$@"; do printf '\\0%s' "$word"; done; } > "$HOME/calls/$$"
[ ! -e "$HOME/called" ] || exit 1
[ "${0##*/}" != pytest ] || : > "$HOME/called"
"""


def needs_missing_program(line: str) -> bool:
    """Whether a real program of the line is not installed here."""
    words = line.replace("/", " ").split()
    return any(name in words and not shutil.which(name) for name in REAL)


def those_that_run(lines: list[str], folder: Path) -> list[bool]:
    """For each line whether bash starts the target."""
    programs = _programs(folder / "bin")
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda pair: _runs(pair[1], folder / str(pair[0]), programs), enumerate(lines)))


def _runs(line: str, folder: Path, programs: Path) -> bool:
    work = _made(folder, programs)
    environment = {"PATH": str(programs), "HOME": str(folder), "TMPDIR": str(folder), "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        [shutil.which("bash") or "bash", "--noprofile", "--norc", "-c", line],
        cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip
    # The group is ended before the process is waited for: until then nobody else can get its number.
    too_long = Timer(_SECONDS, lambda: os.killpg(process.pid, signal.SIGKILL))
    too_long.start()
    assert process.stdout
    process.stdout.read()  # to the end of what runs in the background too
    too_long.cancel()
    too_long.join()
    os.killpg(process.pid, signal.SIGKILL)
    process.stdout.close()
    process.wait()
    return any(call.read_text().split("\0")[0] == TARGET for call in (folder / "calls").iterdir())


def _programs(folder: Path) -> Path:
    folder.mkdir()
    for name in REAL:
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    for name in _STUBS:
        (folder / name).write_text(_STUB)
        (folder / name).chmod(0o755)
    return folder


def _made(folder: Path, programs: Path) -> Path:
    """The folder in which a line runs."""
    work = folder / "work"
    for path in (work / "x", work / "a folder", folder / "calls"):
        path.mkdir(parents=True)
    for name in ("in", "a.py"):
        (work / name).touch()
    for path in (folder, work, work / "a folder"):
        (path / "bin").symlink_to(programs)
    return work
