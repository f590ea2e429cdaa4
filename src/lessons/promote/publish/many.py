"""Compiles lessons for a build, in several processes if there are thousands of them."""

import marshal
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, NamedTuple

from lessons.config import Config
from lessons.errors import Refused
from lessons.promote.publish.compile import made_of
from lessons.promote.publish.spool import Parts, parts_of
from lessons.promote.slow_regex import memory
from lessons.store.lesson_file import LessonFile
from lessons.store.lesson_record import lesson_of

_FEW_LESSONS = 2_000
_LESSONS_AT_ONCE = 100
_MOST_PROCESSES = 4

# The parts of each lesson, or why it has none; and new verdicts about slow patterns.
Batch = tuple[list[Parts | str], dict[str, str]]


class _Process(NamedTuple):
    number: int
    output: BinaryIO


def made_in_order(file: LessonFile, numbers: list[int], config: Config) -> Generator[Parts | str, None, None]:
    """Yields the parts of the records with these numbers, in this order, or why a record has none."""
    batches = [numbers[at : at + _LESSONS_AT_ONCE] for at in range(0, len(numbers), _LESSONS_AT_ONCE)]
    digests = file.digests()

    def make(number: int) -> Parts | str:
        try:
            return parts_of(made_of(digests[number - 1], lesson_of(file.record(number)), config))
        except Refused as refused:
            return str(refused)

    with _processes(batches, make, _wanted_processes(len(numbers))) as processes:
        for at, batch in enumerate(batches):
            found = _received(processes[at % len(processes)].output) if processes else None
            # If a process died, whatever it died of happens here again.
            yield from map(make, batch) if found is None else found


def _received(output: BinaryIO) -> list[Parts | str] | None:
    """Returns the next batch of a process; None if it has died."""
    length = int.from_bytes(output.read(8), "little")
    data = output.read(length)
    if not length or len(data) < length:
        return None
    batch: Batch = marshal.loads(data)
    found, verdicts = batch
    memory.learn(verdicts)
    return found


def _wanted_processes(lessons: int) -> int:
    """Returns 1 if one process is fast enough, or if other threads run, which a fork would lose."""
    if lessons < _FEW_LESSONS or not hasattr(os, "sched_getaffinity") or threading.active_count() > 1:
        return 1
    return min(_MOST_PROCESSES, len(os.sched_getaffinity(0)))


@contextmanager
def _processes(batches: list[list[int]], make: Callable[[int], Parts | str], wanted: int) -> Iterator[list[_Process]]:
    """Forks processes, each of which compiles every `wanted`-th batch.

    Yields no process if one is enough, or if the system allows no more.
    """
    started: list[_Process] = []
    if wanted > 1:
        memory.recall()
    try:
        for first in range(wanted if wanted > 1 else 0):
            try:
                started.append(_start(batches[first::wanted], make, started))
            except OSError:
                _end(started)
                break
        yield started
    finally:
        _end(started)


def _end(started: list[_Process]) -> None:
    for process in started:
        process.output.close()  # a process that still works ends at its next write
    while started:
        with suppress(ChildProcessError):
            os.waitpid(started.pop().number, 0)


def _start(batches: list[list[int]], make: Callable[[int], Parts | str], others: list[_Process]) -> _Process:
    to_read, to_write = os.pipe()
    try:
        number = os.fork()
    except OSError:
        os.close(to_read)
        os.close(to_write)
        raise
    if number:
        os.close(to_write)
        return _Process(number, os.fdopen(to_read, "rb"))
    try:  # in the new process; it never returns
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent decides
        for other in (to_read, *(other.output.fileno() for other in others)):
            os.close(other)  # otherwise no process would notice that the parent is gone
        with os.fdopen(to_write, "wb") as output:
            for batch in batches:
                known = memory.count()
                data = marshal.dumps(([make(each) for each in batch], memory.since(known)))
                output.write(len(data).to_bytes(8, "little") + data)
                output.flush()
    finally:
        os._exit(0)
