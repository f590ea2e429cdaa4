"""Compiles lessons for a build, in several processes if there are thousands of them."""

import marshal
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple

from lessons.child_process import ForkedProcess, forked, may_fork, received, send
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
    process: ForkedProcess
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
    data = received(output)
    if data is None:
        return None
    batch: Batch = marshal.loads(data)
    found, verdicts = batch
    memory.learn(verdicts)
    return found


def _wanted_processes(lessons: int) -> int:
    """Returns 1 if one process is fast enough, or if it cannot be copied."""
    if lessons < _FEW_LESSONS or not may_fork():
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
                started.append(_start(batches[first::wanted], make))
            except OSError:
                _end(started)
                break
        yield started
    finally:
        _end(started)


def _end(started: list[_Process]) -> None:
    for each in started:
        each.output.close()  # a process that still works ends at its next write
    while started:
        started.pop().process.wait()


def _start(batches: list[list[int]], make: Callable[[int], Parts | str]) -> _Process:
    to_read, to_write = os.pipe()

    def work() -> None:
        for batch in batches:
            known = memory.count()
            send(to_write, marshal.dumps(([make(each) for each in batch], memory.since(known))))

    try:
        process = forked(work, [to_write])
    except OSError:
        os.close(to_read)
        raise
    finally:
        os.close(to_write)
    return _Process(process, os.fdopen(to_read, "rb"))
