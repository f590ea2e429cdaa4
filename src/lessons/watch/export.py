"""Does the same as the end of a scan, if something changed, and not too often."""

import time
from collections.abc import Callable
from functools import partial

from lessons.errors import Busy, LessonsError
from lessons.ledger.after_scan import after_scan
from lessons.promote import queue
from lessons.store import exports, logs
from lessons.store.history import backups
from lessons.store.history.history import History
from lessons.store.logs import describe_fault as describe
from lessons.store.running import scanning
from lessons.watch.tick import TickResult

Tell = Callable[[str], None]
_SECONDS_OF_PROPOSING = 1.0  # at a time: writes during it wait


class Exporter:
    """scan-state.json, the file of candidates, the ledger with its lines for the user, and the daily backup.

    Runs one step at a time: files written meanwhile are read between two steps.
    """

    def __init__(self, home: str, seconds: float) -> None:
        self.home = home
        self.seconds = seconds
        self.due_at: float | None = None  # by the monotonic clock
        self._steps: list[Callable[[], None]] = []  # of an export in progress
        self._spent = 0.0
        self._has_candidates = False
        self._has_changed = False  # since the export began

    def note(self, result: TickResult) -> None:
        """Schedules an export of what this tick changed."""
        if result.did_something and self.due_at is None:
            self.due_at = time.monotonic() + self.seconds
        self._has_changed |= result.did_something
        self._has_candidates |= bool(result.mined and result.mined.sessions) or bool(result.coverage.new_candidates)

    def when_due(self, tell: Tell) -> None:
        """Takes the next step."""
        if self.due_at is not None and time.monotonic() >= self.due_at:
            self._take_step(tell)

    def finish(self, tell: Tell) -> None:
        """Does all remaining steps. Reports what cannot be written now, and writes it later."""
        if self.due_at is not None:
            self._take_step(tell)
            while self._steps:
                self._take_step(tell)

    def _take_step(self, tell: Tell) -> None:
        if not self._steps:
            self._spent, self._has_changed = 0.0, False
            self._steps = [self._back_up, self._export_state, partial(self._update_ledger, tell)]
            self._steps += [self._export_queue, self._propose] if self._has_candidates else []
        began = time.monotonic()
        try:
            self._steps[0]()
        except Busy:
            self._wait()  # a scan is running, and does the same at its end
            return
        except Exception as fault:
            self._wait()
            tell(str(fault) if isinstance(fault, LessonsError | OSError) else describe(fault))
            return
        del self._steps[0]
        self._spent += time.monotonic() - began
        if not self._steps:
            logs.record_watch(self.home, "exported", seconds=round(self._spent, 3))
            self.due_at = time.monotonic() + self.seconds if self._has_changed else None

    def _wait(self) -> None:
        self._steps.clear()
        self.due_at = time.monotonic() + self.seconds

    def _back_up(self) -> None:
        with scanning(self.home, 0):
            backups.make(self.home)

    def _export_state(self) -> None:
        with scanning(self.home, 0), History.opened(self.home) as history:
            exports.write_scan_state(history, scanned=True)

    def _update_ledger(self, tell: Tell) -> None:
        with scanning(self.home, 0), History.opened(self.home) as history:
            for problem in after_scan(history):
                tell(problem)

    def _export_queue(self) -> None:
        self._has_candidates = False
        queue.export(self.home)

    def _propose(self) -> None:
        from lessons.promote.queue import prepare  # loaded only now: most exports find nothing to work out

        prepare(self.home, _SECONDS_OF_PROPOSING)
