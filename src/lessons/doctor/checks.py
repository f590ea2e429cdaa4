"""Checks of the data home: files, history, lessons and what is published."""

import os
import re
import shlex
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lessons import config, paths
from lessons.agents.base import Check
from lessons.agents.hook_event import NOT_EXAMINED
from lessons.errors import DamagedFile, HistoryUnavailable, LessonsError
from lessons.hook import bundle
from lessons.hook.lookup import session_start_lessons
from lessons.inject.session_start import dropped_at_start, no_room
from lessons.lesson_fields import PATTERNS, patterns_in
from lessons.mistakes.recall import failures_in
from lessons.mistakes.remember import is_current
from lessons.paths import memory_index_file
from lessons.promote import team
from lessons.promote.publish.build import built_lessons
from lessons.promote.publish.entry import start_warnings
from lessons.settings import number
from lessons.store import exports, hook_index, lesson_file, logs, manifest, passes, settings
from lessons.store.history import backups
from lessons.store.history.history import History
from lessons.store.history.hook_log import logged
from lessons.store.history.ledger import ASKED
from lessons.store.memory_index import MemoryIndex, UnusableMemory


def config_check(home: str) -> Check:
    try:
        config.load(home)
        unknown = config.warnings(home)
    except LessonsError as wrong:
        return Check("config.json", False, str(wrong), "Fix it. Until then the last build stays in use.")
    return Check("config.json", True, " ".join(unknown) or "valid.")


_NAME = "data home"
SET_UP = "Run `lessons init`."
_MOST_NAMED = 3


def home_check(home: str) -> Check:
    """Fails also if others can write: they would control what the agent reads and which calls are blocked."""
    if not os.path.isdir(home):
        return Check(_NAME, False, f"{home} does not exist.", SET_UP)
    if not os.access(home, os.W_OK):
        return Check(_NAME, False, f"{home} is not writable.", "Give yourself write permission.")
    if os.name != "posix":
        return Check(_NAME, True, home)
    if wide := [folder for folder, _, _ in os.walk(home) if _mode_of(folder) & 0o022]:
        named = ", ".join(wide[:_MOST_NAMED])
        more = f" and {len(wide) - _MOST_NAMED} more folders" if len(wide) > _MOST_NAMED else ""
        change = f"chmod 700 {' '.join(map(shlex.quote, wide))}"
        fix = f"Run `{f'chmod -R go-w {shlex.quote(home)}' if more else change}`."
        return Check(_NAME, False, f"Others can write {named}{more}.", fix)
    # Folders above in which anybody may rename files of others.
    levels = Path(os.path.realpath(home)).parents
    above = [str(each) for each in levels if (mode := _mode_of(str(each))) & 0o002 and not mode & stat.S_ISVTX]
    if above:
        detail = f"Others can replace the data home, because they can write {', '.join(above)}."
        return Check(_NAME, False, detail, f"Run `chmod o-w {' '.join(map(shlex.quote, above))}`.")
    return Check(_NAME, True, home)


def _mode_of(path: str) -> int:
    """Returns the permissions; 0 if the file is missing."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        return 0


def fault_checks(home: str) -> Iterator[Check]:
    lines, path = logs.read_faults(home), paths.faults_file(home)
    large = [line for line in lines if line.endswith(NOT_EXAMINED)]
    others = [line for line in lines if line not in large]
    if others:
        detail = f"{len(others)} logged, the last: {others[-1]}"
        yield Check("faults", False, detail, f"Read {path}; delete it afterwards.")
    else:
        yield Check("faults", True, "none.")
    if large:
        were = "1 payload was" if len(large) == 1 else f"{len(large):,} payloads were"
        moment = large[-1].partition(" ")[0]
        detail = f"{were} larger than 4 MB, so they were not examined; the last at {moment}."
        fix = f"Ask the agent to write large files in parts or with a command. Delete {path} afterwards."
        yield Check("large payloads", False, detail, fix)


_OLD_SCAN = timedelta(days=7)
_RECENT = timedelta(days=7)
_LONGEST_ERROR = 200
_LARGE_HISTORY = 1_000_000_000
_SECONDS_OF_CHECKING = 0.4  # the user waits for it; every backup is checked completely
_PROBLEMS = ("Traceback", "damaged", "could not be read", "cannot be", "No backup", " lost", "newer lessons")


def history_checks(home: str) -> Iterator[Check]:
    path = paths.history_file(home)
    if not os.path.exists(path):
        yield Check("history.db", True, "no history yet. `lessons scan` reads your transcripts.")
    else:
        yield from _history(home, path)
        wide = [each for each in (path, path + "-wal", path + "-shm") if _mode_of(each) & 0o077]
        if wide and os.name == "posix":
            detail = f"Others can read {', '.join(wide)}."
            yield Check("history permissions", False, detail, f"Run `chmod 600 {' '.join(wide)}`.")
        else:
            yield Check("history permissions", True, "private.")
    yield _memory(home)
    yield _questions(home)
    yield _scan_log(home)
    found = backups.listing(home)
    detail = "none yet: a scan makes one a day, `lessons backup create` makes one now."
    if found:
        detail = f"{len(found)}, the newest {found[-1].name} ({found[-1].reason})."
    yield Check("backups", True, detail)


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
    name, path, speaks = "memory", memory_index_file(home), "on"
    with suppress(LessonsError):  # a damaged config.json has its own check
        chosen = config.load(home).memory
        if not chosen:
            return Check(name, True, "off. `lessons config set memory true` switches it on.")
        speaks = "on, at errors only" if chosen == "error" else "on"
    if not os.path.exists(path):
        return Check(name, True, f"{speaks}; nothing is remembered yet. `lessons scan` fills it.")
    try:
        failures = sum(1 for _ in failures_in(MemoryIndex(path)))
    except (UnusableMemory, ValueError, EOFError, TypeError) as fault:
        return Check(name, False, f"memory-index is {fault}: nothing is recalled.", "Run `lessons scan --full`.")
    made = datetime.fromtimestamp(os.stat(path).st_mtime, UTC)
    detail = f"{speaks}; {_many(failures, 'failed call')} remembered"
    # A damaged history has its own check.
    with suppress(LessonsError), History.for_reading(home) as history:
        if not is_current(history):
            stale = f"{detail}; the index of {made:%Y-%m-%dT%H:%M:%SZ} is older than the history."
            return Check(name, True, stale, "Run `lessons scan`.")
    return Check(name, True, f"{detail}; up to date, made at {made:%Y-%m-%dT%H:%M:%SZ}.")


def _questions(home: str) -> Check:
    """Says when agents are asked for notes, and what came of it."""
    name, mode = "notes of agents", "recovery"
    with suppress(LessonsError):  # a damaged config.json has its own check
        chosen = config.load(home).lesson_protocol
        if not chosen:
            return Check(name, True, "never asked for. `lessons config set lessonProtocol recovery` asks for them.")
        mode = str(chosen)
    if mode == "always":
        return Check(name, True, "asked for at every session start.")
    asked = sum(event.get("decision") == ASKED for event in logged(home))
    return Check(name, True, f"asked for after a recovery; {_many(asked, 'question')} so far.")


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
    last = exports.last_scan(history.home)
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


def _scan_log(home: str) -> Check:
    """Lists problems of background scans; fails only if the last scan was aborted."""
    lines = logs.read_scan_log(home)
    problems = [line for line in lines if any(word in line for word in _PROBLEMS)]
    detail = f"the last problem: {problems[-1][:500]}" if problems else "no problems."
    broke_off = bool(lines) and "Traceback" in lines[-1]
    fix = f"Run `lessons scan` to see whether it still fails; the log is {paths.scan_log_file(home)}."
    return Check("background scans", not broke_off, detail, fix if broke_off else "")


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def record_checks(home: str) -> Iterator[Check]:
    try:
        file = lesson_file.read(home)
    except LessonsError as damaged:
        yield Check("lessons.json", False, str(damaged), "Fix the file. Until then the last build stays in use.")
        return
    lessons, problems = file.lessons(), file.problems()
    if problems:
        yield Check("lessons.json", False, " ".join(problem.sentence for problem in problems), "Fix the records.")
    else:
        yield Check("lessons.json", True, f"{len(lessons)} lessons.")
    if wrong := [sentence for built in built_lessons(home) for sentence in built.wrong]:
        fix = "Change the lesson with `lessons edit SLUG`."
        yield Check("triggers and examples", False, "\n".join(wrong), fix)
        return
    patterns = sum(len(each) for lesson in lessons for _, each in patterns_in(lesson.triggers, PATTERNS))
    yield Check("triggers and examples", True, f"{patterns} patterns compile, all examples pass.")


def published_checks(home: str) -> Iterator[Check]:
    built = manifest_check(home)
    yield built
    if built.fix == SET_UP:
        return
    yield Check("session starts", True, lessons_without_room(home) or "all their lessons have room.")
    if notes := list(_notes(home)):
        yield Check("warnings of the build", True, "\n".join(notes), "Change the lesson with `lessons edit SLUG`.")
    try:
        hook_index.HookIndex(paths.hook_index_file(home), manifest.stamp(home) or (0, 0)).check()
        yield Check("hook index", True, "up to date.")
    except hook_index.UnusableIndex as fault:
        detail = f"The fast index is {fault}: the hook reads the manifest instead, which is slower."
        yield Check("hook index", False, detail, "Run `lessons build`.")
    detail = f"{bundle.bundle_file().parent} cannot be written: the hook starts a few milliseconds slower."
    yield Check("hook start", True, "from its bundle." if bundle.refresh() else detail)


def lessons_without_room(home: str) -> str:
    """Names the lessons that are never shown when a session starts; empty if there is none."""
    with suppress(manifest.UnusableManifest):  # has its own check
        published, lessons = session_start_lessons(home)
        muted = passes.muted(home, time.time())
        slugs = dropped_at_start(lessons, muted.__contains__, number(published, "injectionBudgetBytes"))
        return no_room(slugs)
    return ""


def manifest_check(home: str, thorough: bool = True) -> Check:
    """Checks that the manifest is usable and up to date; unless `thorough`, relies on an index that belongs to it."""
    fix = "Run `lessons build`."
    stamp = manifest.stamp(home)
    if stamp is None and not os.path.exists(paths.lessons_file(home)):
        return Check("manifest", False, "not built, because there are no lessons yet.", SET_UP)
    if stamp is None:
        return Check("manifest", False, "missing, so no lesson fires.", fix)
    with suppress(hook_index.UnusableIndex):  # has its own check
        index = hook_index.HookIndex(paths.hook_index_file(home), stamp)
        if tuple(index.head["sources"]) != manifest.sources(home):
            return Check("manifest", False, "stale: lessons.json, config.json or trusted.json has changed.", fix)
        if not thorough:
            return Check("manifest", True, f"{index.head['lessons']} lessons in use.")
    try:
        _, lessons = manifest.read(home)
    except manifest.UnusableManifest as fault:
        return Check("manifest", False, f"cannot be used ({fault}), so no lesson fires.", fix)
    return Check("manifest", True, f"{len(lessons)} lessons in use.")


def _notes(home: str) -> Iterator[str]:
    """Yields what a build warns of although nothing is wrong; for another tool's manifest, what ours would."""
    if os.path.exists(paths.lessons_file(home)):
        with suppress(LessonsError):  # has its own check
            yield from (sentence for built in built_lessons(home) for sentence in built.odd)
        return
    try:
        _, lessons = manifest.read(home)
    except manifest.UnusableManifest:
        return  # has its own check
    for identifier, entry in lessons.items():
        try:
            yield from (f"{entry.get('slug', identifier)}: {sentence}" for sentence in start_warnings(entry))
        except (ValueError, re.error, RecursionError, OverflowError):
            continue  # the hook skips such a lesson


def trust_check(home: str) -> Check:
    try:
        projects = settings.trusted_projects(home)
    except LessonsError as damaged:
        return Check("trusted projects", False, str(damaged), "Fix it. Until then no project's lessons are used.")
    changed = [sentence for root, known in projects.items() for sentence in team.unchanged(root, known)[1]]
    if changed:
        fix = "Run `lessons trust DIR` to review and trust it again."
        return Check("trusted projects", False, "\n".join(changed), fix)
    return Check("trusted projects", True, f"{len(projects)}, unchanged." if projects else "none.")
