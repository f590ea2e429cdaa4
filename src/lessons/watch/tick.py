"""One tick of the watcher: reads some files, mines quiet sessions, and reports the result; and its exports."""

from collections.abc import Callable

import msgspec

from lessons import config
from lessons.mistakes.remember import remember
from lessons.promote import queue
from lessons.prove.update import after_scan, put_repeat_line
from lessons.scan.discover import Root
from lessons.scan.mine import Changed, mine
from lessons.scan.scan import Coverage, Progress, Request, changed_files, read
from lessons.store import decisions, exports
from lessons.store.consent import consent_of
from lessons.store.history import backups
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall
from lessons.store.history.sources import FailedSegment
from lessons.store.running import scanning
from lessons.watch.schedule import Limits, Stopped, quiet_sessions

_MOST_SHOWN_CALLS = 20
_SECONDS_OF_PROPOSING = 1.0  # at a time: writes during it wait


class TickResult(msgspec.Struct):
    """What a tick did, and what is pending after it."""

    coverage: Coverage = msgspec.field(default_factory=Coverage)
    mined: Changed | None = None
    calls: list[PastCall] = []
    last_writes: dict[str, float] = {}  # of the sessions not mined yet
    unread: set[str] = set()  # of these, those with a segment to read again first
    failed: list[FailedSegment] = []
    next_retry: float | None = None

    @property
    def did_something(self) -> bool:
        coverage = self.coverage
        return bool(coverage.files.read or coverage.problems or (self.mined and self.mined.sessions))


def tick(
    home: str,
    roots: list[Root],
    files: list[str] | None,
    limits: Limits,
    clock: Callable[[], float],
    stopping: Callable[[], bool],
) -> TickResult:
    """Reads these files, or all below the folders (None), and mines quiet sessions.

    Raises Busy if a scan is running, Stopped if it should end; what was read until then is stored.
    """

    def watch(progress: Progress) -> None:
        if stopping():
            raise Stopped

    window = config.load(home).mining_window_calls
    result = TickResult()
    with scanning(home), History.opened(home) as history:
        history.redaction.update(home)
        allowed = consent_of(home)
        history.sources.follow_consent(allowed.name)
        history.sessions_to_mine.begin(window)
        result.coverage = read(history, Request(roots, allowed, False, window, files=files, clock=clock), watch)
        result.calls = history.calls.numbered(result.coverage.call_numbers, _MOST_SHOWN_CALLS)
        most = limits.sessions if files is not None else None
        result.mined = _mine_quiet(history, window, limits, clock(), most)
        result.last_writes = history.sessions_to_mine.last_writes()
        result.unread = history.progress.unread_sessions()
        result.failed = history.progress.failed_segments()
        result.next_retry = history.progress.next_retry()
    return result


def sweep(home: str, roots: list[Root], clock: Callable[[], float]) -> tuple[list[str], list[str]]:
    """Returns the files with new data, newest first, and folders that cannot be read. Reads no content.

    Raises Busy like `tick`.
    """
    window = config.load(home).mining_window_calls
    with scanning(home), History.opened(home) as history:
        allowed = consent_of(home)
        history.sources.follow_consent(allowed.name)
        found = changed_files(history, Request(roots, allowed, False, window, clock=clock)).others
    newest = sorted(((file.state.modified, file.path) for file in found if file.state), reverse=True)
    return [path for _, path in newest], [file.path for file in found if not file.state]


def export(home: str) -> list[str]:
    """Does the same as the end of a scan, and returns its problems; raises Busy while a scan runs."""
    with scanning(home, 0):
        backups.make(home)
        with History.opened(home) as history:
            exports.write_scan_state(history, scanned=True)
            problems = list(after_scan(history))
    queue.export(home)
    queue.prepare(home, _SECONDS_OF_PROPOSING)
    return problems


def _mine_quiet(history: History, window: int, limits: Limits, now: float, most: int | None) -> Changed | None:
    """Mines quiet sessions; one still being written is only read, one with a segment to read again waits.

    With more than `most`, the last written come first.
    """
    with history.transaction():
        history.progress.queue_due_sessions(now)
    last_writes = history.sessions_to_mine.last_writes()
    unread = history.progress.unread_sessions() if last_writes else set()
    chosen = quiet_sessions(last_writes, now, limits.quiet, unread)
    if not chosen:
        return None
    newest = sorted(chosen, key=lambda name: (last_writes[name], name), reverse=True)
    mined = mine(history, window, newest[:most], now)
    if mined.new or mined.updated:
        decisions.apply(history)
        put_repeat_line(history, now)
    remember(history)
    return mined
