"""Copies of this process that do a part of its work, and the messages that they exchange with it."""

import gc
import os
import signal
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import IO

_THREADS = "/proc/self/task"
_DESCRIPTORS = "/proc/self/fd"
_LENGTH = 8  # bytes that state the length of a message
_MOST_AT_ONCE = 1 << 20


class ForkedProcess:
    """A running copy of this process."""

    def __init__(self, number: int) -> None:
        self.pid = number
        self._is_running = True

    def kill(self) -> None:
        if self._is_running:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        if self._is_running:
            with suppress(ChildProcessError):
                os.waitpid(self.pid, 0)
            self._is_running = False


def may_fork() -> bool:
    """Whether a copy of this process would work: only Linux is known to, and a copy loses all threads but one."""
    try:
        return len(os.listdir(_THREADS)) == 1
    except OSError:
        return False


def forked(work: Callable[[], None], kept: Collection[int]) -> ForkedProcess:
    """Starts a copy of this process that does the work and ends. Raises OSError if the system allows no more.

    Of the open files the copy has only the standard streams and those in `kept`, so that it holds no lock. It is in its
    own process group: ^C on the terminal is for this process only.
    """
    first = os.getpid()
    try:
        number = os.fork()
        if number:
            return ForkedProcess(number)
        gc.freeze()  # nothing that belongs to the other process is ever cleaned up here
        os.setpgid(0, 0)
        for descriptor in map(int, os.listdir(_DESCRIPTORS)):
            if descriptor not in kept and not _is_standard_stream(descriptor):
                with suppress(OSError):
                    os.close(descriptor)
        work()
    finally:
        if os.getpid() != first:
            os._exit(0)
    raise AssertionError("the copy has ended")


def _is_standard_stream(descriptor: int) -> bool:
    """Whether it is one: if a stream was closed when this process started, its number belongs to another file."""
    streams = (sys.__stdin__, sys.__stdout__, sys.__stderr__)
    return descriptor < len(streams) and streams[descriptor] is not None


def send(descriptor: int, message: bytes) -> None:
    rest = memoryview(len(message).to_bytes(_LENGTH, "big") + message)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def received(stream: IO[bytes]) -> bytes | None:
    """Returns the next message; None at the end of the stream, also if it ends within a message."""
    head = _exactly(stream, _LENGTH)
    return _exactly(stream, int.from_bytes(head, "big")) if head else None


def _exactly(stream: IO[bytes], length: int) -> bytes | None:
    parts = []
    while length:
        part = stream.read(min(length, _MOST_AT_ONCE))
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
