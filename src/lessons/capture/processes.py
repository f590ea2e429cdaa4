"""The processes of one scan: this one, and workers as soon as there is enough to read."""

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING

from lessons.capture.jobs import Done, Job
from lessons.store.consent import Consent

# Loaded only when needed: most scans find nothing new, and all that takes a transcript apart is slow to load.
if TYPE_CHECKING:
    from lessons.capture.pool import Pool
    from lessons.capture.thread_mining import MinedThread, ThreadTask


class Processes:
    """To be used in a `with` statement, which ends the workers."""

    def __init__(self, consent: Consent) -> None:
        self._consent = consent
        self._pool: Pool | None = None

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        if self._pool is not None:
            self._pool.stop()

    def read(self, jobs: list[Job], count: int) -> Iterator[Done]:
        """Reads the files, in `count` processes; jobs may be added to the list during processing."""
        count = min(count, len(jobs))
        if count <= 1:
            from lessons.capture.worker import in_this_process

            return in_this_process(jobs, self._consent)
        from lessons.capture.pool import Pool

        self._pool = Pool(self._consent, count)
        from lessons.capture.parallel_reading import read  # the workers load what they need meanwhile

        return read(self._pool, jobs)

    def mine(self, tasks: "Iterable[ThreadTask]") -> "Iterator[MinedThread]":
        """Mines the threads in turn, in the processes that have read."""
        if self._pool is None:
            from lessons.capture.thread_mining import in_turn

            return in_turn(tasks)
        from lessons.capture.parallel_mining import mine

        return mine(self._pool, tasks)
