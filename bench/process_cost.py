"""A command in, what its process took out: by the clock, of the processor, and the most memory that it held."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from typing import NamedTuple


class Cost(NamedTuple):
    """Of one process; the processor's seconds hardly depend on what else the machine does."""

    seconds: float
    processor_seconds: float
    megabytes: float


def cost(arguments: list[str], home: str, given: bytes = b"", codes: Sequence[int] = (0,)) -> Cost:
    """Of a process that must end in one of these codes."""
    began = time.perf_counter()
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as told:
        source.write(given)
        source.seek(0)
        child = subprocess.Popen(
            arguments, stdin=source, stdout=subprocess.DEVNULL, stderr=told, env=_environment(home)
        )
        found = _waited(child, began)
        if child.returncode not in codes:
            told.seek(0)
            raise SystemExit(f"{arguments} failed: {told.read().decode()}")
    return found


def first_screen(arguments: list[str], home: str, shows: Sequence[str]) -> Cost:
    """Of a process on a terminal until it shows one of these texts; then it is killed."""
    import pty  # not on Windows

    ours, its = pty.openpty()
    began = time.perf_counter()
    child = subprocess.Popen(arguments, stdin=its, stdout=its, stderr=its, env=_environment(home))
    os.close(its)
    printed = b""
    try:
        while not any(text.encode() in printed for text in shows):
            printed += os.read(ours, 1 << 16)
    except OSError:  # how Linux says that nobody writes any more
        raise SystemExit(f"{arguments} ended and never showed {shows!r}: {printed.decode()}") from None
    finally:
        child.send_signal(signal.SIGKILL)
        found = _waited(child, began)
        os.close(ours)
    return found


def _waited(child: subprocess.Popen[bytes], began: float) -> Cost:
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return Cost(time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _environment(home: str) -> dict[str, str]:
    return {**os.environ, "LESSONS_HOME": home, "HOME": home, "TERM": "xterm-256color", "COLUMNS": "120"}
