"""The processes of one scan: this one, which alone writes, and workers as soon as there is enough to read.

What a worker cannot do, because it died or could not be started, this process does itself.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from lessons.store.consent import Consent
from lessons.store.history.rows import Batch

# Loaded only when needed: most scans find nothing new, and all that takes a transcript apart is slow to load.
if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from lessons.scan.mine import MinedThread, ThreadTask
    from lessons.scan.read import FileReader

_LEAST_BYTES = 32 << 20  # less than this is read before workers have started
_MOST_PROCESSES = 8
# A worker answers with all rows of a file at once; this process reads larger files, batch by batch.
_LARGEST_FILE = 64 << 20
# What is given to a worker ahead: enough while this process reads a batch, little at the end of the scan.
_MOST_FILES_AHEAD = 64
_MOST_BYTES_AHEAD = 8 << 20
_MOST_THREADS_AHEAD = 2
_MOST_WAITING_CALLS = 10_000  # in threads that are mined, or whose results wait for that of one before them


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
    here: bool = False  # not in a worker


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
    """A result of a job: a batch, or the problem that ended it; `last` ends it too."""

    path: str
    part: Batch | Problem

    @property
    def last(self) -> bool:
        return isinstance(self.part, Problem) or self.part.state is not None


def processes_for(size: int) -> int:
    """Returns the number of processors, if there is enough to read to justify starting them."""
    return min(os.cpu_count() or 1, _MOST_PROCESSES) if size >= _LEAST_BYTES else 1


class Processes:
    """To be used in a `with` statement, which ends the workers."""

    def __init__(self, consent: Consent) -> None:
        self._consent = consent
        self._pool: ProcessPoolExecutor | None = None
        self._workers = 0

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        if self._pool is None:
            return
        if fault is not None:
            import multiprocessing

            for worker in multiprocessing.active_children():
                worker.terminate()  # nobody waits for what they read
        self._pool.shutdown(cancel_futures=True)

    def read(self, jobs: list[Job], count: int) -> Iterator[Done]:
        """Reads the files, in `count` processes; jobs may be added to the list during processing.

        The parts of one file come in their order.
        """
        from lessons.scan.read import FileReader

        here = FileReader(self._consent)
        self._start(min(count, len(jobs)) - 1)
        pending: dict[Future[list[Batch | Problem]], Job] = {}
        parts: Iterator[Done] = iter(())
        while True:
            self._give_out(jobs, pending)
            if answered := [future for future in pending if future.done()]:
                for future in answered:
                    yield from _answer(future, pending.pop(future), jobs)
            elif part := next(parts, None):
                yield part
            elif jobs:
                parts = _read_here(here, jobs.pop())
            elif pending:
                from concurrent.futures import FIRST_COMPLETED, wait

                wait(pending, return_when=FIRST_COMPLETED)
            else:
                return

    def mine(self, tasks: "Iterable[ThreadTask]") -> "Iterator[MinedThread]":
        """Mines the threads, in the processes that have read; the results are in the order of the tasks."""
        from lessons.scan.mine import mine_thread

        waiting: deque[tuple[ThreadTask, Future[MinedThread] | MinedThread]] = deque()
        calls = 0
        for task in tasks:
            busy = sum(not _is_ready(found) for _, found in waiting)
            is_for_worker = not task.is_small and busy < self._workers * _MOST_THREADS_AHEAD
            future = self._submit(mine_thread, task) if is_for_worker else None
            waiting.append((task, mine_thread(task) if future is None else future))
            calls += len(task.steps)
            while waiting and (calls > _MOST_WAITING_CALLS or _is_ready(waiting[0][1])):
                calls -= len(waiting[0][0].steps)
                yield _mined(*waiting.popleft())
        yield from (_mined(*each) for each in waiting)

    def _start(self, workers: int) -> None:
        if workers < 1:
            return
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        with suppress(ImportError, NotImplementedError, OSError):  # a system without what a pool needs
            self._pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (self._consent,))
            self._workers = workers

    def _give_out(self, jobs: list[Job], pending: "dict[Future[list[Batch | Problem]], Job]") -> None:
        """Gives out jobs from the end of the list: one to each worker, and more while they are small."""
        size = sum(job.size for job in pending.values())
        for place in reversed(range(len(jobs)) if self._workers else ()):
            job = jobs[place]
            if job.here or job.size > _LARGEST_FILE:
                continue
            ahead = len(pending) < self._workers * _MOST_FILES_AHEAD
            if len(pending) > self._workers and not (ahead and size + job.size <= self._workers * _MOST_BYTES_AHEAD):
                return
            future = self._submit(_read_in_worker, job)
            if future is None:
                return
            pending[future] = jobs.pop(place)
            size += job.size

    def _submit(self, work: "Callable[..., Any]", task: object) -> "Future[Any] | None":
        """Returns None if the system allows no more processes, or a worker died: then there are none from now on."""
        try:
            with _interrupts_blocked():
                return self._pool.submit(work, task) if self._pool and self._workers else None
        except (OSError, RuntimeError):
            self._workers = 0
            return None


def _read_here(reader: "FileReader", job: Job) -> Iterator[Done]:
    for part in reader.parts(job):
        yield Done(job.path, part)


def _answer(future: "Future[list[Batch | Problem]]", job: Job, jobs: list[Job]) -> Iterator[Done]:
    try:
        parts = future.result()
    except Exception:  # the worker died
        jobs.append(msgspec.structs.replace(job, here=True))
        return
    for part in parts:
        yield Done(job.path, part)


def _is_ready(found: "Future[MinedThread] | MinedThread") -> bool:
    return isinstance(found, msgspec.Struct) or found.done()


def _mined(task: "ThreadTask", found: "Future[MinedThread] | MinedThread") -> "MinedThread":
    if isinstance(found, msgspec.Struct):
        return found
    try:
        return found.result()
    except Exception:  # the worker died, or cannot do it: what fails here too is reported
        from lessons.scan.mine import mine_thread

        return mine_thread(task)


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
