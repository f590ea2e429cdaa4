"""The worker processes of a scan, and which of them have answered."""

import os
import selectors

from lessons.capture.worker_process import Order, WorkerProcess
from lessons.store.consent import Consent


class Pool:
    """`count` processes, including this one."""

    def __init__(self, consent: Consent, count: int) -> None:
        self.consent = consent
        self.workers: list[WorkerProcess] = []
        self._answers = selectors.DefaultSelector()
        # Windows can wait for sockets but not for pipes: there this process does everything.
        for _ in range(0 if os.name == "nt" else count - 1):
            try:
                self.workers.append(WorkerProcess(consent))
            except OSError:
                break  # the system allows no more processes or pipes
            self._answers.register(self.workers[-1].answers, selectors.EVENT_READ, self.workers[-1])

    def stop(self) -> None:
        self._answers.close()
        for worker in self.workers:
            worker.stop()

    def with_room(self, order: Order) -> WorkerProcess | None:
        """Returns the worker with the fewest orders that should get this one now."""
        return min((worker for worker in self.workers if worker.has_room(order)), key=_orders, default=None)

    def ready(self) -> list[WorkerProcess]:
        """Returns the workers that have answered, or died."""
        return self._selected(0) if self._is_waiting() else []

    def wait(self) -> bool:
        """Waits until a worker answers; returns False if none is going to."""
        return self._is_waiting() and bool(self._selected(None))

    def received(self, worker: WorkerProcess) -> bytes | None:
        """Returns the next answer of a worker; None if it has died."""
        message = worker.receive()
        if message is None:
            self._answers.unregister(worker.answers)
        return message

    def _is_waiting(self) -> bool:
        return any(worker.pending for worker in self.workers)

    def _selected(self, seconds: float | None) -> list[WorkerProcess]:
        return [key.data for key, _ in self._answers.select(seconds)]


def _orders(worker: WorkerProcess) -> int:
    return len(worker.pending)
