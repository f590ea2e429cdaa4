"""Runs a program with a limit in time; afterwards neither it nor anything that it started is left.

The program gets a process group, which is ended. On Linux, whatever has left the group becomes a child of this process
when its parent ends, and is ended too.
"""

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NamedTuple

_PR_SET_CHILD_SUBREAPER = 36


class Ended(NamedTuple):
    """How a program ended, and what it printed."""

    code: int | None  # None: the time was over
    output: str
    errors: str


def run(command: list[str], stdin: str, folder: str, environment: dict[str, str], seconds: float) -> Ended:
    """Whatever ends the wait, the program and its children are gone."""
    others = _children()
    # Files instead of pipes, which a child that is left could hold open.
    with _adopting(), tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=errors,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        code: int | None = None
        try:
            process.communicate(stdin.encode("utf-8", "replace"), timeout=seconds)
            code = process.returncode
        except subprocess.TimeoutExpired:
            pass
        finally:
            _end(process)
            while left := _children() - others:  # each that ends leaves its own children to this process
                for number in left:
                    with suppress(ProcessLookupError, ChildProcessError):
                        os.kill(number, signal.SIGKILL)
                        os.waitpid(number, 0)
        for file in (output, errors):
            file.seek(0)
        return Ended(code, *(file.read().decode("utf-8", "replace") for file in (output, errors)))


def _end(process: "subprocess.Popen[bytes]") -> None:
    if sys.platform == "win32":
        tree = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def _adopting() -> Iterator[None]:
    """On Linux, makes orphaned descendants children of this process, instead of the first process of the system."""
    if sys.platform != "linux":
        yield
        return
    system = ctypes.CDLL(None)
    system.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        system.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def _children() -> set[int]:
    """Returns the ids of this process's children; none where /proc does not tell them."""
    found = set()
    for name in filter(str.isdigit, os.listdir("/proc") if sys.platform == "linux" else ()):
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            # The name of the program may contain anything; the state and the parent follow its last bracket.
            if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                found.add(int(name))
    return found


@contextmanager
def ended_like_an_interrupt() -> Iterator[None]:
    """Turns a kill, or a closed terminal, into an exception, so that nothing is left behind."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    usual = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in usual:
        signal.signal(number, _leave)
    try:
        yield
    finally:
        for number in usual:
            signal.signal(number, signal.SIG_DFL)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
