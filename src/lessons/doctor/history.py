"""Checks the history, the scans and the backups."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from lessons import config, paths
from lessons.check import Check
from lessons.errors import DamagedFile, HistoryUnavailable, LessonsError
from lessons.hook_paths import memory_index_file
from lessons.mistakes.recall import failures_in
from lessons.store import scan_log, scan_state
from lessons.store.history import backups
from lessons.store.history.history import History
from lessons.store.memory_index import MemoryIndex, UnusableMemory

_OLD_SCAN = timedelta(days=7)
_RECENT = timedelta(days=7)
_LONGEST_ERROR = 200
_MOST_NAMED = 3
_LARGE_HISTORY = 1_000_000_000
_SECONDS_OF_CHECKING = 0.4  # the user waits for it; every backup is checked completely
_PROBLEMS = ("Traceback", "damaged", "could not be read", "cannot be", "No backup", " lost", "newer lessons")


def checks(home: str) -> Iterator[Check]:
    path = paths.history_file(home)
    if not os.path.exists(path):
        yield Check("history.db", True, "no history yet. `lessons scan` reads your transcripts.")
    else:
        yield from _history(home, path)
        yield _mode(path)
    yield _memory(home)
    yield _scan_log(home)
    yield _backups(home)


def _history(home: str, path: str) -> Iterator[Check]:
    name = "history.db"
    fix = "Run `lessons scan --full`: it moves the file aside and recovers what can be read."
    try:
        with History.for_reading(home) as history:
            checked = history.checked(_SECONDS_OF_CHECKING)
            if checked.faults:
                yield Check(name, False, f"{path} is damaged: {checked.faults[0]}", fix)
                return
            yield _sound(history, checked.is_complete)
            yield _last_scan(history)
            yield _not_understood(history)
            yield from _failed_hooks(history)
            if rescue := history.last_rescue():
                lost = " ".join(rescue.lost) or "nothing was lost."
                yield Check("rescued history", True, f"damaged once; the old file is kept as {rescue.aside}: {lost}")
    except HistoryUnavailable as wrong:
        detail = f"{path} cannot be used ({wrong.reason})."
        yield Check(name, False, detail, "Check its permissions, or try again later.")
    except DamagedFile as wrong:
        yield Check(name, False, str(wrong), fix)
    except LessonsError as wrong:
        yield Check(name, False, str(wrong), "Do what the message says.")


def _memory(home: str) -> Check:
    with suppress(LessonsError):  # a damaged config.json has its own check
        if not config.load(home).memory:
            return Check("memory", True, "off. `lessons config set memory true` switches it on.")
    if not os.path.exists(memory_index_file(home)):
        return Check("memory", True, "empty: `lessons scan` fills it.")
    try:
        failures = sum(1 for _ in failures_in(MemoryIndex(memory_index_file(home))))
    except (UnusableMemory, ValueError, EOFError, TypeError) as fault:
        return Check("memory", False, f"memory-index is {fault}: nothing is recalled.", "Run `lessons scan --full`.")
    return Check("memory", True, f"{failures:,} failed calls are remembered.")


def _sound(history: History, is_complete: bool) -> Check:
    size = history.compaction.size()
    detail = f"OK, schema version {history.version()}, {size / 1e6:,.0f} MB."
    if not is_complete:
        detail += " Too large to check every row here: `lessons backup create` does, and so does the daily backup."
    if size > _LARGE_HISTORY:
        detail += " `lessons history compact` makes it smaller."
    return Check("history.db", True, detail)


def _last_scan(history: History) -> Check:
    detail = f"{_many(history.sources.count(), 'transcript')}, {_many(history.calls.count(), 'tool call')}"
    last = scan_state.last_scan(history.home)
    if last is None:
        return Check("last scan", False, f"{detail}; no scan has finished.", "Run `lessons scan`.")
    moment = datetime.fromtimestamp(last, UTC)
    ago = datetime.now(UTC) - moment
    when = f"{detail}; the last scan was at {moment:%Y-%m-%dT%H:%M:%SZ}"
    if ago > _OLD_SCAN:
        when += f", {ago.days} days ago: `lessons scan` reads newer transcripts"
    return Check("last scan", True, f"{when}.")


def _not_understood(history: History) -> Check:
    number, size = history.sources.damaged_parts()
    stretches = f"{number:,} {'stretch' if number == 1 else 'stretches'} of transcripts"
    detail = f"{stretches} could not be parsed ({size:,} bytes)" if number else ""
    failed = history.progress.failed_segments()
    dead = [each for each in failed if each.state == "dead"]
    if waiting := len(failed) - len(dead):
        detail = "; ".join(part for part in (detail, f"{_many(waiting, 'failed segment')} will be retried") if part)
    if dead:
        named = ", ".join(f"{each.key} ({each.reason})" for each in dead[:_MOST_NAMED])
        more = f" and {len(dead) - _MOST_NAMED:,} more" if len(dead) > _MOST_NAMED else ""
        given_up = f"{_many(len(dead), 'segment')} failed after several attempts: {named}{more}"
        fix = "Run `lessons watch retry` after an update, and report it if it still fails."
        return Check("transcripts", False, "; ".join(part for part in (given_up, detail) if part), fix)
    return Check("transcripts", True, f"{detail or 'all of them were parsed'}.")


def _failed_hooks(history: History) -> Iterator[Check]:
    """Checks hooks of all programs, because agents ignore failing hooks silently. Fails only while it still happens."""
    since = datetime.now(UTC) - _RECENT
    found = history.stop_hooks.failed_since(f"{since:%Y-%m-%dT%H:%M:%S}")
    if found.failed:
        turns = (
            f"{found.failed:,} of {_many(found.turns, 'turn')} in the last {_RECENT.days} days ended with a failed hook"
        )
        where = f"the last at {found.time[:19]} in {found.project or 'an unknown project'}"
        error_text = " ".join(found.error.split())[:_LONGEST_ERROR]
        fix = "Run the command of that hook by hand, or remove it from the settings of the agent."
        yield Check(
            "hooks of the agent", not found.is_newest, f"{turns}, {where}: {error_text}", fix if found.is_newest else ""
        )


def _mode(path: str) -> Check:
    """Checks that nobody else can read the history."""
    wide = [each for each in (path, path + "-wal", path + "-shm") if _is_wide(each)]
    if wide:
        detail = f"Others can read {', '.join(wide)}."
        return Check("history permissions", False, detail, f"Run `chmod 600 {' '.join(wide)}`.")
    return Check("history permissions", True, "private.")


def _is_wide(path: str) -> bool:
    try:
        return os.name == "posix" and bool(stat.S_IMODE(os.stat(path).st_mode) & 0o077)
    except OSError:
        return False


def _scan_log(home: str) -> Check:
    """Lists problems of background scans; fails only if the last scan was aborted."""
    lines = scan_log.read(home)
    problems = [line for line in lines if any(word in line for word in _PROBLEMS)]
    detail = f"the last problem: {problems[-1][:500]}" if problems else "no problems."
    broke_off = bool(lines) and "Traceback" in lines[-1]
    fix = f"Run `lessons scan` to see whether it still fails; the log is {paths.scan_log_file(home)}."
    return Check("background scans", not broke_off, detail, fix if broke_off else "")


def _backups(home: str) -> Check:
    found = backups.listing(home)
    if not found:
        return Check("backups", True, "none yet: a scan makes one a day, `lessons backup create` makes one now.")
    return Check("backups", True, f"{len(found)}, the newest {found[-1].name} ({found[-1].reason}).")


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
