"""Reads files in several processes at once, and yields their batches."""

import os
import selectors
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from typing import IO, NamedTuple

import msgspec

from lessons.capture.jobs import LOST, Done, Job, Problem
from lessons.capture.worker import Worker
from lessons.store.consent import Consent
from lessons.store.history.rows import Batch

# Our own process instead of a library pool, which would run the caller's program again in each.
_COMMAND = (sys.executable, "-I", "-c", "from lessons.capture.pool import work; work()")
_LENGTH = 8
# A worker gets its next small files early, so that it does not wait while this process reads. Unread orders must fit
# into a pipe: otherwise both sides could wait for each other.
_MOST_PENDING_BYTES = 4 << 20
_MOST_ORDER_BYTES = 16 << 10
_PIPE_BYTES = 1 << 20  # holds nearly every batch, so that a worker goes on at once

_encode = msgspec.msgpack.Encoder().encode
_job_of = msgspec.msgpack.Decoder(Job).decode
_consent_of = msgspec.msgpack.Decoder(Consent).decode
_part_of = msgspec.msgpack.Decoder(tuple[Batch | None, Problem | None]).decode


def in_processes(jobs: list[Job], consent: Consent, count: int) -> Iterator[Done]:
    """Uses `count` processes, including this one, which reads while no worker has an answer.

    Jobs may be added to the list during processing; keeps the order of the parts of one file.
    """
    # Windows can wait for sockets but not for pipes: there this process does everything.
    workers = [_WorkerProcess(consent) for _ in range(0 if os.name == "nt" else count - 1)]
    try:
        yield from _collect(jobs, workers, consent)
    finally:
        for worker in workers:
            worker.stop()


class _Order(NamedTuple):
    """A file that a worker was told to read."""

    path: str
    size: int
    message: bytes


def _is_small(orders: list[_Order]) -> bool:
    """Whether one worker may have all of them at once."""
    length = sum(len(order.message) for order in orders)
    return length <= _MOST_ORDER_BYTES and sum(order.size for order in orders) <= _MOST_PENDING_BYTES


class _WorkerProcess:
    """One process, and the files that it was told to read."""

    def __init__(self, consent: Consent) -> None:
        # In a separate process group: ^C on the terminal is for this process only.
        self.process = subprocess.Popen(
            _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0
        )
        assert self.process.stdin and self.process.stdout
        self.orders, self.answers = self.process.stdin, self.process.stdout
        _widen(self.answers.fileno())
        self.pending: deque[_Order] = deque()  # those that are not finished
        self.alive = True
        self._send(_encode(consent))

    def order_from(self, jobs: list[Job]) -> None:
        """Takes the next jobs from the end of the list: one, and more while they are small."""
        while jobs and self.alive:
            order = _Order(jobs[-1].path, jobs[-1].size, _encode(jobs[-1]))
            if self.pending and not _is_small([*self.pending, order]):
                return
            jobs.pop()
            self.pending.append(order)
            self._send(order.message)

    def answer(self) -> Iterator[Done]:
        """Yields the next part, or the loss of everything that a dead process was told to read."""
        message = _received(self.answers)
        if message is None:
            self.alive = False
            while self.pending:
                yield Done(self.pending.popleft().path, Problem(LOST))
            return
        batch, problem = _part_of(message)
        part = batch or problem
        assert part is not None
        done = Done(self.pending[0].path, part)
        if done.last:
            self.pending.popleft()
        yield done

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.orders.close()
        self.answers.close()

    def _send(self, message: bytes) -> None:
        try:
            _send(self.orders.fileno(), message)
        except OSError:
            pass  # it is gone: there will be no answer


def _collect(jobs: list[Job], workers: list[_WorkerProcess], consent: Consent) -> Iterator[Done]:
    here = Worker(consent)
    parts: Iterator[Batch | Problem] = iter(())
    path = ""
    with selectors.DefaultSelector() as answers:
        for worker in workers:
            answers.register(worker.answers, selectors.EVENT_READ, worker)
        while True:
            for worker in workers:
                worker.order_from(jobs)
            is_waiting = any(worker.pending for worker in workers)
            if is_waiting and (ready := answers.select(0)):
                yield from _answered(ready, answers)
            elif part := next(parts, None):
                yield Done(path, part)
            elif jobs:
                # Also where all workers died: the system may kill them for memory.
                job = jobs.pop()
                path, parts = job.path, here.parts(job)
            elif is_waiting:
                yield from _answered(answers.select(), answers)
            else:
                return


def _answered(ready: list[tuple[selectors.SelectorKey, int]], answers: selectors.BaseSelector) -> Iterator[Done]:
    for key, _ in ready:
        worker: _WorkerProcess = key.data
        yield from worker.answer()
        if not worker.alive:
            answers.unregister(worker.answers)


def work() -> None:
    """The main loop of such a process, until its parent closes the pipe or is gone."""
    orders, answers = sys.stdin.buffer, sys.stdout.fileno()
    first = _received(orders)
    try:
        worker = Worker(_consent_of(first or b""))
        while message := _received(orders):
            for part in worker.parts(_job_of(message)):
                is_batch = isinstance(part, Batch)
                _send(answers, _encode((part if is_batch else None, None if is_batch else part)))
    except (OSError, KeyboardInterrupt):
        os._exit(0)


def _widen(pipe: int) -> None:
    """Makes the buffer of a pipe larger, where the system can: only Linux does."""
    try:
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)  # type: ignore[attr-defined, unused-ignore]
    except (ImportError, AttributeError, OSError):
        pass


def _send(descriptor: int, message: bytes) -> None:
    rest = memoryview(len(message).to_bytes(_LENGTH, "big") + message)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _received(stream: IO[bytes]) -> bytes | None:
    """Returns None at the end of the stream, also if it ends within a message."""
    head = _exactly(stream, _LENGTH)
    return _exactly(stream, int.from_bytes(head, "big")) if head else None


def _exactly(stream: IO[bytes], length: int) -> bytes | None:
    parts = []
    while length:
        part = stream.read(min(length, 1 << 20))
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
