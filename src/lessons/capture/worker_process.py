"""A process that reads files and mines threads for the process that started it, through two pipes."""

import os
import subprocess
import sys
from collections import deque
from contextlib import ExitStack, suppress
from typing import IO, NamedTuple

import msgspec

from lessons.capture.jobs import Done, Job, Problem
from lessons.capture.worker import Worker
from lessons.child_process import ForkedProcess, forked, may_fork, received, send
from lessons.store.consent import Consent
from lessons.store.history.rows import Batch

# Where this process cannot be copied. Not a library's pool, which would run the caller's program again in each.
_COMMAND = (sys.executable, "-I", "-c", "from lessons.capture.worker_process import work; work()")
READ, LOAD, MINE = b"r", b"l", b"m"  # the first byte of an order; LOAD has no answer
FAILED = b""  # the answer to an order that whoever gave it should carry out
# Limits of the orders that a worker has not finished. They must fit into a pipe: otherwise both sides could wait for
# each other. And at the end no other process should wait long for the last ones.
_MOST_ORDERS = 64
_MOST_READ_BYTES = 4 << 20
_PIPE_BYTES = 1 << 20
_SMALLEST_PIPE = 4 << 10  # where the size of a pipe is unknown

encode = msgspec.msgpack.Encoder().encode
_job_of = msgspec.msgpack.Decoder(Job).decode
_consent_of = msgspec.msgpack.Decoder(Consent).decode


class Order(NamedTuple):
    """What a worker is told to do; `subject` is for the process that gives the order."""

    message: bytes
    subject: object
    size: int = 0  # bytes to read


class _Started(NamedTuple):
    process: "ForkedProcess | subprocess.Popen[bytes]"
    orders: IO[bytes]
    answers: IO[bytes]


class WorkerProcess:
    """One such process, and the orders that it has not finished, in the order in which it answers them."""

    def __init__(self, consent: Consent) -> None:
        """Raises OSError if the system allows no more processes or pipes."""
        self.process, self.orders, self.answers = _copied() if may_fork() else _started()
        self.most_order_bytes = _widened(self.orders.fileno()) // 2 or _SMALLEST_PIPE // 2
        _widened(self.answers.fileno())
        self.pending: deque[Order] = deque()
        self.alive = True
        self._send(encode(consent))

    def has_room(self, order: Order) -> bool:
        """Whether it should get this order now: it is idle, or this and what it has are small."""
        if not self.alive or not self.pending:
            return self.alive
        orders = [*self.pending, order]
        return (
            len(orders) <= _MOST_ORDERS
            and sum(len(each.message) for each in orders) <= self.most_order_bytes
            and sum(each.size for each in orders) <= _MOST_READ_BYTES
        )

    def give(self, order: Order) -> None:
        self.pending.append(order)
        self._send(order.message)

    def load_mining(self) -> None:
        """Makes it load what mining needs, when it has finished its orders: mining is what comes next."""
        self._send(LOAD)

    def receive(self) -> bytes | None:
        """Waits for the next answer; None if the process is gone."""
        message = received(self.answers)
        self.alive = message is not None
        return message

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.orders.close()
        self.answers.close()

    def _send(self, message: bytes) -> None:
        try:
            send(self.orders.fileno(), message)
        except OSError:
            pass  # it is gone: there will be no answer


def _started() -> _Started:
    """Starts a new interpreter, in a separate process group: ^C on the terminal is for this process only."""
    process = subprocess.Popen(_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0)
    assert process.stdin and process.stdout
    return _Started(process, process.stdin, process.stdout)


def _copied() -> _Started:
    """Starts a copy of this process, which need not load again what is loaded."""
    import lessons.capture.thread_mining  # noqa: F401 (each copy needs it later)

    with ExitStack() as ours, ExitStack() as of_copy:
        # The copy reads ahead: a small pipe takes nothing more while its page is read in part.
        orders, orders_in = _pipe(of_copy, ours, read_ahead=True)
        answers, answers_in = _pipe(ours, of_copy)
        process = forked(lambda: _work(orders, answers_in.fileno()), [orders.fileno(), answers_in.fileno()])
        ours.pop_all()
        return _Started(process, orders_in, answers)


def _pipe(reader: ExitStack, writer: ExitStack, read_ahead: bool = False) -> tuple[IO[bytes], IO[bytes]]:
    """Returns where to read and where to write; each end is closed with the stack of its process."""
    to_read, to_write = os.pipe()
    return (
        reader.enter_context(os.fdopen(to_read, "rb", buffering=-1 if read_ahead else 0)),
        writer.enter_context(os.fdopen(to_write, "wb", buffering=0)),
    )


def work() -> None:
    """The main loop of a new interpreter."""
    _work(sys.stdin.buffer, sys.stdout.fileno())


def _work(orders: IO[bytes], answers: int) -> None:
    """Carries out orders until the other process closes the pipe or is gone."""
    try:
        worker = Worker(_consent_of(received(orders) or b""))
        while message := received(orders):
            kind, order = message[:1], memoryview(message)[1:]
            if kind == LOAD:
                import lessons.capture.thread_mining  # noqa: F401
            elif kind == MINE:
                send(answers, _mined(order))
            else:
                for part in worker.parts(_job_of(order)):
                    answer = _answer(part)
                    send(answers, answer)
                    if answer == FAILED or Done("", part).last:
                        break
    except (OSError, KeyboardInterrupt):
        os._exit(0)


def _answer(part: Batch | Problem) -> bytes:
    is_batch = isinstance(part, Batch)
    try:
        return encode((part if is_batch else None, None if is_batch else part))
    except (ValueError, OverflowError):  # half a surrogate pair, a huge number: storing it fails too, and is handled
        return FAILED


def _mined(order: memoryview) -> bytes:
    from lessons.capture.thread_mining import ThreadTask, mine_thread  # loaded only now: reading needs none of it

    try:
        # Truth values come from the database as numbers.
        return encode(mine_thread(msgspec.msgpack.decode(order, type=ThreadTask, strict=False)))
    except Exception:  # whoever does it again reports it
        return FAILED


def _widened(pipe: int) -> int:
    """Enlarges the buffer of a pipe and returns its size; 0 where that is unknown: only Linux tells."""
    try:
        import fcntl

        with suppress(OSError):  # the system limits the memory that a user's pipes may take
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        return fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)
    except (ImportError, AttributeError, OSError):
        return 0
