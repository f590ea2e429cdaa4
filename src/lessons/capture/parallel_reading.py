"""Reads files in several processes at once, and yields their batches; this process reads while no worker answers."""

from collections.abc import Iterator

import msgspec

from lessons.capture.jobs import LOST, UNSENT, Done, Job, Problem
from lessons.capture.pool import Pool
from lessons.capture.worker import Worker
from lessons.capture.worker_process import FAILED, READ, Order, WorkerProcess, encode
from lessons.store.history.rows import Batch

_part_of = msgspec.msgpack.Decoder(tuple[Batch | None, Problem | None]).decode


def read(pool: Pool, jobs: list[Job]) -> Iterator[Done]:
    """Jobs may be added to the list during processing; keeps the order of the parts of one file."""
    here = Worker(pool.consent)
    path = ""
    parts: Iterator[Batch | Problem] = iter(())
    is_loading = False
    while True:
        _give_out(pool, jobs)
        if not jobs and not is_loading:
            is_loading = True
            for worker in pool.workers:
                worker.load_mining()
        if ready := pool.ready():
            for worker in ready:
                yield from _answered(pool, worker)
        elif part := next(parts, None):
            yield Done(path, part)
        elif jobs:
            job = jobs.pop()
            path, parts = job.path, here.parts(job)
        elif not pool.wait():
            return


def _give_out(pool: Pool, jobs: list[Job]) -> None:
    """Gives out jobs from the end of the list: one to each worker, and more while they are small."""
    while jobs and not jobs[-1].here:
        order = Order(READ + encode(jobs[-1]), jobs[-1].path, jobs[-1].size)
        worker = pool.with_room(order)
        if worker is None:
            return
        jobs.pop()
        worker.give(order)


def _answered(pool: Pool, worker: WorkerProcess) -> Iterator[Done]:
    """Yields the next part that a worker has read, or the loss of everything that a dead one was told to read."""
    message = pool.received(worker)
    if message is None:
        while worker.pending:
            yield Done(str(worker.pending.popleft().subject), Problem(LOST))
        return
    batch, problem = _part_of(message) if message != FAILED else (None, Problem(UNSENT))
    part = batch or problem
    assert part is not None
    done = Done(str(worker.pending[0].subject), part)
    if done.last:
        worker.pending.popleft()
    yield done
