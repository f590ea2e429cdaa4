"""One tick of the watcher: reads some files, mines quiet sessions, and reports the result; its limits and exports."""

import os
from collections.abc import Callable, Iterable, Mapping

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
from lessons.store.running import scanning

_MOST_SHOWN_CALLS = 20
_SECONDS_OF_PROPOSING = 1.0  # at a time: writes during it wait
# A write up to this far in the future is due to another machine's clock; further away, to a clock that was set back.
_CLOCK_SECONDS = 300.0
_COMMAND_WIDTH = 44


class Limits(msgspec.Struct, frozen=True):
    """Times are in seconds."""

    quiet: float = 120.0  # without a write, until a session counts as quiet
    poll: float = 2.0  # between two checks of all files, if the platform has no events
    sweep: float = 600.0  # between two checks of all files, because events may get lost
    between_ticks: float = 0.5  # at least, so that many small writes are read together
    heartbeat: float = 60.0
    export: float = 300.0  # minimum time between two exports
    files: int = 50  # read in one tick
    sessions: int = 300  # mined in one tick


def is_quiet(last_write: float, now: float, wait: float) -> bool:
    """Whether nothing was written for that long; a time far in the future does not delay anything."""
    return not -_CLOCK_SECONDS <= now - last_write < wait


def quiet_sessions(last_writes: Mapping[str, float], now: float, wait: float, unread: Iterable[str] = ()) -> set[str]:
    """Returns the sessions to mine now, without those that have a segment still to read (`unread`)."""
    return {name for name, last in last_writes.items() if is_quiet(last, now, wait)} - set(unread)


class Stopped(BaseException):
    """The watcher should end. Not a fault, so code that survives faults must not catch it."""


class TickResult(msgspec.Struct):
    """What a tick did, and what is pending after it."""

    coverage: Coverage = msgspec.field(default_factory=Coverage)
    mined: Changed | None = None
    calls: list[PastCall] = []
    last_writes: dict[str, float] = {}  # of the sessions not mined yet
    unread: set[str] = set()  # of these, those with a segment to read again first
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


def lines_of(result: TickResult) -> list[str]:
    """Returns a line for each call that was read, and for what was mined."""
    lines = [_call_line(call) for call in result.calls]
    if (more := result.coverage.calls["total"] - len(result.calls)) > 0:
        lines.insert(0, f"{more:,} more calls")
    mined = result.mined
    if mined and mined.sessions:
        new, updated = len(mined.new), len(mined.updated)
        found = f"candidates: {new:,} new, {updated:,} seen again" if new or updated else "no new candidates"
        lines.append(f"mined {_many(mined.sessions, 'quiet session')}; {found}")
    if result.coverage.failed_segments:
        lines.append(f"{_many(result.coverage.failed_segments, 'segment')} failed; retried later")
    return lines


def _call_line(call: PastCall) -> str:
    what = " ".join((call.command or call.path or call.tool).split())
    short = what if len(what) <= _COMMAND_WIDTH else what[: _COMMAND_WIDTH - 1] + "…"
    return f"{call.outcome:<11} {(os.path.basename(call.project) or '?')[:14]:<14} {short}"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
