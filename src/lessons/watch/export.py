"""Does the same as the end of a scan, if something changed, and not too often."""

import time
from collections.abc import Callable

from lessons.errors import Busy, LessonsError
from lessons.ledger.after_scan import after_scan
from lessons.promote import queue
from lessons.store import exports, logs
from lessons.store.history import backups
from lessons.store.history.history import History
from lessons.store.logs import describe_fault as describe
from lessons.store.running import scanning
from lessons.watch.tick import TickResult

_SECONDS_OF_PROPOSING = 1.0  # at a time: writes during it wait


class Exporter:
    """scan-state.json, the file of candidates, the ledger with its lines for the user, and the daily backup."""

    def __init__(self, home: str, seconds: float) -> None:
        self.home = home
        self.seconds = seconds
        self.due_at: float | None = None  # by the monotonic clock
        self._has_candidates = False

    def note(self, result: TickResult) -> None:
        """Schedules an export of what this tick changed."""
        if result.did_something and self.due_at is None:
            self.due_at = time.monotonic() + self.seconds
        self._has_candidates |= bool(result.mined and result.mined.sessions) or bool(result.coverage.new_candidates)

    def when_due(self, report: Callable[[str], None]) -> None:
        if self.due_at is not None and time.monotonic() >= self.due_at:
            self.finish(report)

    def finish(self, report: Callable[[str], None]) -> None:
        """Exports what has changed. Reports what cannot be written now, and writes it later."""
        if self.due_at is None:
            return
        began = time.monotonic()
        try:
            self._export(report)
        except Exception as fault:
            self.due_at = time.monotonic() + self.seconds
            if not isinstance(fault, Busy):  # a scan is running, and does the same at its end
                report(str(fault) if isinstance(fault, LessonsError | OSError) else describe(fault))
            return
        self.due_at = None
        logs.record_watch(self.home, "exported", seconds=round(time.monotonic() - began, 3))

    def _export(self, report: Callable[[str], None]) -> None:
        with scanning(self.home, 0):
            backups.make(self.home)
            with History.opened(self.home) as history:
                exports.write_scan_state(history, scanned=True)
                for problem in after_scan(history):
                    report(problem)
        if self._has_candidates:
            self._has_candidates = False
            queue.export(self.home)
            queue.prepare(self.home, _SECONDS_OF_PROPOSING)
