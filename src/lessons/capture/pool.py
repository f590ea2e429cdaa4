"""Reads files in several processes at once, and yields their batches."""

import os
import selectors
import subprocess
import sys
from collections.abc import Iterator
from typing import IO

import msgspec

from lessons.capture.jobs import LOST, Done, Job, Problem
from lessons.capture.worker import Worker, in_this_process
from lessons.store.consent import Consent
from lessons.store.history.rows import Batch

# Our own process instead of a library pool, which would run the caller's program again in each.
_COMMAND = (sys.executable, "-I", "-c", "from lessons.capture.pool import work; work()")
_LENGTH = 8

_encode = msgspec.msgpack.Encoder().encode
_job_of = msgspec.msgpack.Decoder(Job).decode
_consent_of = msgspec.msgpack.Decoder(Consent).decode
_part_of = msgspec.msgpack.Decoder(tuple[Batch | None, Problem | None]).decode


def in_processes(jobs: list[Job], consent: Consent, count: int) -> Iterator[Done]:
    """Jobs may be added to the list during processing; keeps the order of the parts of one file."""
    # Windows can wait for sockets but not for pipes: there this process does everything.
    workers = [_WorkerProcess(consent) for _ in range(0 if os.name == "nt" else count)]
    try:
        yield from _collect(jobs, workers)
    finally:
        for worker in workers:
            worker.stop()
    # If the processes died (the system may kill them for memory), this process does the rest.
    yield from in_this_process(jobs, consent)


class _WorkerProcess:
    """One process, and the file that it reads."""

    def __init__(self, consent: Consent) -> None:
        # In a separate process group: ^C on the terminal is for this process only.
        self.process = subprocess.Popen(
            _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0
        )
        assert self.process.stdin and self.process.stdout
        self.orders, self.answers = self.process.stdin, self.process.stdout
        self.path = ""
        self.alive = True
        self._order(_encode(consent))

    def begin(self, job: Job) -> None:
        self.path = job.path
        self._order(_encode(job))

    def answer(self) -> Done:
        message = _received(self.answers)
        if message is None:
            self.alive = False
            return Done(self.path, Problem(LOST))
        batch, problem = _part_of(message)
        part = batch or problem
        assert part is not None
        return Done(self.path, part)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.orders.close()
        self.answers.close()

    def _order(self, message: bytes) -> None:
        try:
            _send(self.orders.fileno(), message)
        except OSError:
            pass  # it is gone: there will be no answer


def _collect(jobs: list[Job], workers: list[_WorkerProcess]) -> Iterator[Done]:
    idle = list(workers)
    with selectors.DefaultSelector() as busy:
        while (jobs and idle) or busy.get_map():
            while jobs and idle:
                worker = idle.pop()
                worker.begin(jobs.pop())
                busy.register(worker.answers, selectors.EVENT_READ, worker)
            for key, _ in busy.select():
                worker = key.data
                done = worker.answer()
                if done.last:
                    busy.unregister(worker.answers)
                    if worker.alive:
                        idle.append(worker)
                yield done


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
