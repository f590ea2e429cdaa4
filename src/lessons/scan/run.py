"""Runs one scan under its lock; shortens old calls."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from lessons import config, paths
from lessons.agents.table import AGENTS, reader_of
from lessons.errors import DamagedHistory, Refused
from lessons.mistakes.remember import remember
from lessons.scan.discover import Root
from lessons.scan.scan import Coverage, Progress, Request, Watch, scan
from lessons.store import decisions, exports
from lessons.store.consent import consent_of
from lessons.store.history import backups, recovery
from lessons.store.history.history import History
from lessons.store.history.hook_log import fold
from lessons.store.history.recovery import Rescue
from lessons.store.running import scanning

Then = Callable[[History], object]


class Options(msgspec.Struct, frozen=True):
    """The options of a scan."""

    folders: list[str] = []  # empty: the transcript folders of the agents
    agents: tuple[str, ...] = ()  # empty: every agent
    full: bool = False
    dry_run: bool = False
    processes: int | None = None  # None: as many as useful
    is_awaited: bool = False  # by a person: the caller has the daily backup made afterwards, where that is safe


class Finished(msgspec.Struct):
    """What a scan read, and what was recovered from a damaged history."""

    coverage: Coverage
    rescue: Rescue | None = None


def run(
    home: str, options: Options, watch: Watch = lambda progress: None, then: Then = lambda history: None
) -> Finished:
    """Raises Busy if another scan is running; `then` gets the history while no other scan can run."""
    request = _request(home, options)
    if options.dry_run:
        with History.rehearsal(home) as history:  # a full scan, of which nothing is stored
            coverage = scan(history, request, watch)
            then(history)
        return Finished(coverage)
    with scanning(home):
        rescue = recovery.finish(home) or _emptied(home)
        try:
            if options.full or not options.is_awaited or not backups.can_wait(home):
                backups.make(home)
            return Finished(_scan(home, request, watch, then), rescue)
        except DamagedHistory:
            rescue = recovery.rescue(home)
        rescue.lost += _copies(home) if rescue.lost else []
        return Finished(_scan(home, request, watch, then), rescue)


def mine_again(home: str) -> None:
    """Rebuilds the candidates from the history, without reading transcripts."""
    window = config.load(home).mining_window_calls
    with History.opened(home) as history:
        if not history.sessions_to_mine.is_empty(window):
            from lessons.scan.mine import mine

            mine(history, window)
            decisions.apply(history)
        remember(history)


def _emptied(home: str) -> Rescue | None:
    """An empty file is new, unless an earlier scan has left its state beside it."""
    path = paths.history_file(home)
    if not os.path.exists(path) or os.path.getsize(path) or exports.last_scan(home) is None:
        return None
    lost = f"{path} was empty: the history holds what the transcripts still tell."
    return Rescue("", {}, [lost, *_copies(home)])


def _copies(home: str) -> list[str]:
    known = backups.listing(home)
    return ["`lessons backup list` shows older copies of the history that may hold more."] if known else []


def is_due(home: str) -> bool:
    """Whether the last scan is older than the configured interval."""
    last = exports.last_scan(home)
    age = time.time() - last if last else None
    # A scan in the future (the clock was set back) must not delay others.
    return age is None or not 0 <= age < 3600 * config.load(home).auto_scan_interval_hours


def roots_of(home: str, folders: Sequence[str] = (), agents: Sequence[str] = ()) -> list[Root]:
    """Returns where to search for transcripts: these folders, else the setting, else all folders of the agents.

    In a folder that a person names, any of the agents may have written each file. No agents means all.
    """
    refuse_unknown(agents)
    names = tuple(agents) or tuple(AGENTS)
    chosen = next(row for row in config.listing(home) if row.key == "scanPaths")
    if not folders and chosen.source == "default":
        found: dict[str, tuple[str, ...]] = {}
        for agent in names:
            for folder in filter(os.path.isdir, reader_of(agent).roots()):
                found[folder] = (*found.get(folder, ()), agent)
        return [Root(folder, mine) for folder, mine in found.items()]
    named = folders or config.load(home).scan_paths
    return [Root(os.path.abspath(os.path.expanduser(folder)), names) for folder in named]


def refuse_unknown(agents: Iterable[str]) -> None:
    for agent in agents:
        if agent not in AGENTS:
            raise Refused(f"There is no agent {agent!r} whose transcripts can be read: use one of {', '.join(AGENTS)}.")


def _request(home: str, options: Options) -> Request:
    roots = roots_of(home, options.folders, options.agents)
    for folder, _ in roots:
        if not os.path.isdir(folder):
            what = "is not a folder" if os.path.exists(folder) else "does not exist"
            where = "" if options.folders else " (the setting scanPaths)"
            raise Refused(f"{folder}{where} {what}: give a folder with transcripts.")
    return Request(roots, consent_of(home), options.full, config.load(home).mining_window_calls, options.processes)


def _scan(home: str, request: Request, watch: Watch, then: Then) -> Coverage:
    with History.opened(home) as history:
        if history.redaction.is_due():
            watch(Progress(0, step="Redacting stored texts"))
        history.redaction.update(home)
        history.sources.follow_consent(request.consent.name)
        if request.full and (faults := history.checked().faults):
            raise DamagedHistory(f"{paths.history_file(home)} is damaged: {faults[0]}")
        is_first = history.sources.count() == 0
        fold(history)  # first: a tag may answer a question that is in the log
        coverage = scan(history, request, watch)
        is_changed = bool(coverage.files.read or coverage.mined or request.full)
        if is_changed:
            decisions.apply(history)
        remember(history, is_changed)
        if request.full or (is_first and coverage.files.read):  # in both cases every byte was read
            exports.record_full_scan(history)
        if coverage.files.read or request.full or not exports.touch_scan_state(home):
            exports.write_scan_state(history, scanned=True)
        then(history)
        history.redaction.update_backups(home)
    return coverage


_BETWEEN_COMPACTIONS = timedelta(days=1)


def cutoff(days: int, now: datetime) -> str:
    """Returns the time before which calls are old, in the stored format."""
    return f"{now.astimezone(UTC) - timedelta(days=days):%Y-%m-%dT%H:%M:%S}"


def compact(history: History, before: str, now: datetime) -> int:
    """Shortens the successful calls before this time in one transaction; returns how many."""
    with history.transaction():
        number = history.compaction.shorten(before)
        history.compaction.done(f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}")
    return number


def compact_when_due(history: History, days: int, now: datetime) -> int:
    """Compacts at most once a day and never if 0 days are set; leaves the space to rows to come."""
    last_due = f"{now.astimezone(UTC) - _BETWEEN_COMPACTIONS:%Y-%m-%dT%H:%M:%SZ}"
    return compact(history, cutoff(days, now), now) if days and history.compaction.last() <= last_due else 0


def return_space(history: History) -> list[str]:
    """Makes the file smaller if that is worthwhile; returns the sentences to warn with if it cannot."""
    if not history.compaction.has_free_space() or history.compaction.give_back():
        return []
    needed = f"{2 * history.compaction.size() / 1e6:,.0f} MB"  # for a copy, and for the write-ahead log
    return [
        f"history.db keeps its size: rewriting it needs {needed} of free disk space."
        " Free some and run `lessons history compact` again."
    ]
