"""Mines threads in several processes at once; this process mines those that no worker has room for."""

from collections import deque
from collections.abc import Iterable, Iterator

import msgspec

from lessons.capture.pool import Pool
from lessons.capture.thread_mining import MinedThread, ThreadTask, mine_thread
from lessons.capture.worker_process import MINE, Order, WorkerProcess, encode

_MOST_WAITING_CALLS = 10_000  # in threads that are mined, or whose results wait for that of one before them

_mined_of = msgspec.msgpack.Decoder(MinedThread).decode


class _Slot:
    """A thread whose result is wanted in its turn."""

    def __init__(self, task: ThreadTask) -> None:
        self.task = task
        self.mined: MinedThread | None = None


def mine(pool: Pool, tasks: Iterable[ThreadTask]) -> Iterator[MinedThread]:
    """Yields the results in the order of the tasks; takes a limited number of tasks ahead."""
    source = iter(tasks)
    slots: deque[_Slot] = deque()
    calls = 0
    while True:
        while slots and (mined := slots[0].mined) is not None:
            calls -= len(slots.popleft().task.steps)
            yield mined
        if ready := pool.ready():
            for worker in ready:
                _take_answer(pool, worker)
        elif (calls < _MOST_WAITING_CALLS or not slots) and (task := next(source, None)):
            slots.append(_Slot(task))
            calls += len(task.steps)
            _give_out(pool, slots[-1])
        elif not pool.wait():
            return


def _give_out(pool: Pool, slot: _Slot) -> None:
    if not slot.task.is_small:
        order = Order(MINE + encode(slot.task), slot)
        if worker := pool.with_room(order):
            worker.give(order)
            return
    slot.mined = mine_thread(slot.task)


def _take_answer(pool: Pool, worker: WorkerProcess) -> None:
    """Takes the next result. Mines here what a worker could not, and everything that a dead one was told to mine."""
    message = pool.received(worker)
    for _ in range(len(worker.pending) if message is None else 1):
        slot = worker.pending.popleft().subject
        assert isinstance(slot, _Slot)
        slot.mined = _mined_of(message) if message else mine_thread(slot.task)
