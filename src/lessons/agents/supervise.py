"""Runs a program with a limit in time; afterwards neither it nor anything that it started is left.

On Linux the program runs below a supervisor: this file as a script. A child that leaves the process group, or whose
parent has ended, becomes a child of the supervisor, which ends it, too. Elsewhere the process group is ended.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NamedTuple

_SECONDS_TO_END = 10
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


class Ended(NamedTuple):
    """How a program ended, and what it printed."""

    code: int | None  # None: the time was over
    output: str
    errors: str


def run(command: list[str], stdin: str, folder: str, environment: dict[str, str], seconds: float) -> Ended:
    """Whatever ends the wait, the program and its children are gone."""
    if sys.platform == "linux":
        command = [sys.executable, "-I", "-S", __file__, *command]
    # Files instead of pipes, which a child that is left could hold open.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
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
        for file in (output, errors):
            file.seek(0)
        return Ended(code, *(file.read().decode("utf-8", "replace") for file in (output, errors)))


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        tree = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        process.kill()
        return
    if sys.platform == "linux":
        process.terminate()  # the supervisor ends all others first
        with suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_TO_END)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def ended_like_an_interrupt() -> Iterator[None]:
    """Turns a kill, or a closed terminal, into an exception, so that nothing is left behind."""
    is_main = threading.current_thread() is threading.main_thread()
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if is_main and hasattr(signal, name)]
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


def supervise(command: list[str]) -> int:
    """Runs the command; when it ends, or this process is told to end, ends all that is left of it."""
    import ctypes

    signal.signal(signal.SIGTERM, _leave)
    system = ctypes.CDLL(None)
    system.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    system.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)  # if the process that waits is killed
    try:
        code = subprocess.Popen(command).wait()
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _end_children()
    return code if code >= 0 else 128 - code


def _end_children() -> None:
    """Kills children until there are none: each that ends leaves its own children to this process."""
    with suppress(ChildProcessError):
        while True:
            for number in _children():
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children() -> list[int]:
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            # The name of the program may contain anything; the state and the parent follow its last bracket.
            if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                found.append(int(name))
    return found


if __name__ == "__main__":
    sys.exit(supervise(sys.argv[1:]))
