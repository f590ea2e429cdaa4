"""The worker processes of a scan, and which of them have answered."""

import os
import selectors

from lessons.capture.worker_process import WorkerProcess
from lessons.store.consent import Consent


class Pool:
    """`count` processes, including this one."""

    def __init__(self, consent: Consent, count: int) -> None:
        self.consent = consent
        # Windows can wait for sockets but not for pipes: there this process does everything.
        self.workers = [WorkerProcess(consent) for _ in range(0 if os.name == "nt" else count - 1)]
        self._answers = selectors.DefaultSelector()
        for worker in self.workers:
            self._answers.register(worker.answers, selectors.EVENT_READ, worker)

    def stop(self) -> None:
        self._answers.close()
        for worker in self.workers:
            worker.stop()

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
