"""Reads files in this process, which alone writes, and in workers as soon as there is enough to read."""

import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from lessons.store.consent import Consent
from lessons.store.history.rows import Batch

# Loaded only when needed: most scans find nothing new, and all that takes a transcript apart is slow to load.
if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from lessons.scan.read import FileReader

_LEAST_BYTES = 32 << 20  # less than this is read before workers have started
_MOST_PROCESSES = 8
# A worker answers with all rows of a file at once; this process reads larger files, batch by batch.
_LARGEST_FILE = 64 << 20
# Given to a worker ahead: enough while this process writes a batch, little at the end of the scan.
_MOST_BYTES_AHEAD = 8 << 20


class Known(msgspec.Struct):
    """How far a file was read before; nothing yet if the offset is 0."""

    offset: int = 0
    head: bytes = b""
    tail: bytes = b""
    memory: str = ""
    again: bool = False  # read it from the beginning anyway
    one_by_one: bool = False  # every record in a separate batch: one of them cannot be stored


class Job(msgspec.Struct):
    """A file and how far it was read."""

    agent: str
    path: str
    known: Known
    size: int = 0  # bytes that are to be read, as far as known


class Reason(Enum):
    """Why a file gave nothing (more)."""

    FOREIGN = "foreign"  # of another agent
    UNCLEAR = "unclear"  # nothing in it yet
    REPLACED = "replaced"  # another file than before
    GONE = "gone"  # deleted meanwhile
    UNREADABLE = "unreadable"


class Problem(NamedTuple):
    """The end of a file that was not read to its end; `message` says what made it unreadable."""

    reason: Reason
    message: str = ""


class Done(NamedTuple):
    """A result of a job: a batch, or the problem that ended it."""

    path: str
    part: Batch | Problem


def processes_for(size: int) -> int:
    """Returns the number of processors, if there is enough to read to justify starting them."""
    return min(os.cpu_count() or 1, _MOST_PROCESSES) if size >= _LEAST_BYTES else 1


def read_files(consent: Consent, jobs: list[Job], workers: int) -> Iterator[Done]:
    """Reads the files, the last first; jobs may be added to the list meanwhile. Yields the parts of a file in order.

    What a worker cannot do, because it died or could not be started, this process does itself.
    """
    from lessons.scan.read import FileReader

    here = FileReader(consent)
    with _pool(consent, workers) if min(workers, len(jobs)) > 1 else nullcontext() as pool:
        waiting: deque[tuple[Job, Future[list[Batch | Problem]]]] = deque()
        while jobs or waiting:
            while pool and (place := _next_for_worker(jobs, waiting, workers)) is not None:
                try:
                    with _interrupts_blocked():
                        waiting.append((jobs[place], pool.submit(_read_in_worker, jobs[place])))
                except (OSError, RuntimeError):  # no more processes, or one of them died
                    pool = None
                else:
                    del jobs[place]
            if waiting:
                job, future = waiting.popleft()
                parts = _answer(future, here, job)
            else:
                job = jobs.pop()
                parts = here.parts(job)
            for part in parts:
                yield Done(job.path, part)


def _next_for_worker(
    jobs: list[Job], waiting: "deque[tuple[Job, Future[list[Batch | Problem]]]]", workers: int
) -> int | None:
    """Returns the place of a job: at least one for each worker, and more while they are small."""
    place = next((at for at in reversed(range(len(jobs))) if jobs[at].size <= _LARGEST_FILE), None)
    if place is None or len(waiting) < workers:
        return place
    size = jobs[place].size + sum(job.size for job, _ in waiting)
    return place if size <= workers * _MOST_BYTES_AHEAD else None


def _answer(future: "Future[list[Batch | Problem]]", here: "FileReader", job: Job) -> "Iterator[Batch | Problem]":
    try:
        parts = iter(future.result())
    except Exception:  # the worker died
        parts = here.parts(job)
    yield from parts


@contextmanager
def _pool(consent: Consent, workers: int) -> "Iterator[ProcessPoolExecutor | None]":
    """None on a system without what a pool needs."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    try:
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (consent,))
    except (ImportError, NotImplementedError, OSError):
        yield None
        return
    try:
        yield pool
    except BaseException:
        for worker in multiprocessing.active_children():
            worker.terminate()  # nobody waits for what they read
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """A worker that is started meanwhile never gets them: ^C on the terminal is for this process only."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_reader: "FileReader"  # of a worker


def _begin(consent: Consent) -> None:
    """Prepares a worker. It ends with the process that started it, also if that is killed."""
    import signal
    import threading
    from multiprocessing import parent_process

    from lessons.scan.read import FileReader

    global _reader
    _reader = FileReader(consent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def end() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=end, daemon=True).start()


def _read_in_worker(job: Job) -> list[Batch | Problem]:
    return list(_reader.parts(job))
