"""One tick of the watcher: reads some files, mines quiet sessions, and reports the result."""

from collections.abc import Callable

import msgspec

from lessons import config
from lessons.ledger.after_scan import put_repeat_line
from lessons.mistakes.remember import remember
from lessons.scan.discover import Root
from lessons.scan.mine import Changed, mine
from lessons.scan.scan import Coverage, Progress, Request, changed_files, read
from lessons.store import decisions
from lessons.store.consent import consent_of
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall
from lessons.store.history.sources import FailedSegment
from lessons.store.running import scanning
from lessons.watch import schedule
from lessons.watch.schedule import Limits, Stopped

_MOST_SHOWN_CALLS = 20


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
    settings = config.load(home)
    result = TickResult()
    with scanning(home), History.opened(home) as history:
        history.redaction.update(home)
        allowed = consent_of(home)
        history.sources.follow_consent(allowed.name)
        history.sessions_to_mine.begin(settings.mining_window_calls)
        request = Request(roots, allowed, False, settings.mining_window_calls, files=files, clock=clock)
        result.coverage = _read(history, request, stopping)
        result.calls = history.calls.numbered(result.coverage.call_numbers, _MOST_SHOWN_CALLS)
        most = limits.sessions if files is not None else None
        result.mined = _mine_quiet(history, settings.mining_window_calls, limits, clock(), most)
        result.last_writes = history.sessions_to_mine.last_writes()
        result.unread = history.progress.unread_sessions()
        result.failed = history.progress.failed_segments()
        result.next_retry = history.progress.next_retry()
    return result


class Swept(msgspec.Struct):
    """The result of a check of all files: those with new data, newest first, and folders that cannot be read."""

    files: list[str]
    unreadable: list[str]


def sweep(home: str, roots: list[Root], clock: Callable[[], float]) -> Swept:
    """Reads no content. Raises Busy like `tick`."""
    settings = config.load(home)
    with scanning(home), History.opened(home) as history:
        allowed = consent_of(home)
        history.sources.follow_consent(allowed.name)
        request = Request(roots, allowed, False, settings.mining_window_calls, clock=clock)
        found = changed_files(history, request).others
    newest = sorted(((file.state.modified, file.path) for file in found if file.state), reverse=True)
    return Swept([path for _, path in newest], [file.path for file in found if not file.state])


def _read(history: History, request: Request, stopping: Callable[[], bool]) -> Coverage:
    def watch(progress: Progress) -> None:
        if stopping():
            raise Stopped

    return read(history, request, watch)


def _mine_quiet(history: History, window: int, limits: Limits, now: float, most: int | None) -> Changed | None:
    """Mines quiet sessions; one still being written is only read, one with a segment to read again waits.

    With more than `most`, the last written come first.
    """
    with history.transaction():
        history.progress.queue_due_sessions(now)
    last_writes = history.sessions_to_mine.last_writes()
    unread = history.progress.unread_sessions() if last_writes else set()
    chosen = schedule.quiet_sessions(last_writes, now, limits.quiet, unread)
    if not chosen:
        return None
    newest = sorted(chosen, key=lambda name: (last_writes[name], name), reverse=True)
    mined = mine(history, window, newest[:most], now)
    if mined.new or mined.updated:
        decisions.apply(history)
        put_repeat_line(history, now)
    remember(history)
    return mined
