"""Compiles lessons.json into the manifest and the hook index; every build compiles all lessons."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from lessons import paths
from lessons.config import SETTINGS, Config, load
from lessons.match.dialect import to_python
from lessons.model import Lesson
from lessons.promote import intake
from lessons.promote.publish import entry as entries
from lessons.promote.publish import examples
from lessons.promote.publish.entry import Danger
from lessons.promote.publish.index import Entry, Indexed, indexed, pack
from lessons.promote.publish.slow import find_danger
from lessons.promote.team import Team, acting
from lessons.settings import variable_for
from lessons.store import decisions, files, json_text, lesson_file, manifest
from lessons.store.consent import patterns_of
from lessons.store.files import locked
from lessons.store.lesson_file import Problem
from lessons.store.manifest import REGEX_KEYS

Stamp = tuple[int, int]
# The settings that the hook reads; `excludeProjects` is added if it is set.
_SETTINGS = (
    "injectionBudgetBytes maxLessonsPerInjection minConfidence minPriority compactionReinjectionThreshold"
    " autoScanIntervalHours dedupScope lessonProtocol repeatLine weeklyLine tendLine holdoutRate memory"
).split()


class Exclusion(NamedTuple):
    slug: str
    reason: str


class BuildReport(NamedTuple):
    """What a build did; a warning is about a lesson that is in the manifest."""

    included: int
    excluded: list[Exclusion]
    warnings: list[str]
    generated_at: str


class Built(NamedTuple):
    """What a build makes of a lesson that no setting leaves out."""

    reason: str  # why it is left out anyway
    wrong: list[str]  # about patterns that are left out, and examples that fail
    odd: list[str]  # other warnings
    entry: Entry


def publish(home: str) -> BuildReport:
    """Compiles lessons.json; a damaged lessons.json or config.json leaves the last manifest unchanged."""
    # Locked from reading to writing: of two parallel builds the later one has read the later lessons.
    with locked(paths.manifest_file(home)):
        sources = manifest.sources(home)
        config = load(home)
        file = lesson_file.read(home)
        team = acting(home, file)
        if file.is_missing and (kept := _kept(home, team)):
            return kept
        made: dict[str, Entry] = {}
        indexes: list[Indexed] = []
        variables = [variable_for(key) for key in SETTINGS if os.environ.get(variable_for(key))]
        warnings = [f"{name} is set here and was built in: a build without it undoes that." for name in variables]
        warnings += [*_set_aside_foreign(home), *team.messages]
        find = _finder(home)

        def add(lesson: Lesson, trusted_from: str = "") -> str:
            """Returns why the lesson is left out; empty if it is not."""
            if reason := left_out(lesson, config):
                return reason
            if not lesson.id and "" in made:
                return "its id is empty, as that of another lesson: give it one."
            built = build_one(lesson, find)
            warnings.extend([*built.wrong, *built.odd])
            if not built.reason:
                made[lesson.id] = {**built.entry, "trustedFrom": trusted_from} if trusted_from else built.entry
                indexes.append(indexed(lesson.id, made[lesson.id]))
            return built.reason

        unreadable, excluded = [], []
        for each in file.each():
            if isinstance(each.found, Problem):
                name = each.found.name or f"lesson {each.found.number}"
                unreadable.append(Exclusion(name, each.found.sentence))
            elif reason := add(each.found):
                excluded.append(Exclusion(each.found.slug, reason))
        excluded += [Exclusion(name, reason) for name, reason in team.left_out]
        for one in team.lessons:
            if reason := add(one.lesson, one.path):
                excluded.append(Exclusion(one.lesson.slug, reason))
        now = decisions.now()
        _write(home, config, made, indexes, now, sources)
    return BuildReport(len(made), [*unreadable, *excluded], warnings, now)


def left_out(lesson: Lesson, config: Config) -> str:
    """Returns why a lesson is not published, whatever its triggers; empty if it may be."""
    if lesson.stage == "retired":
        return "stage is retired."
    if lesson.needs_review:
        return "needsReview is true: set it to false once a person has read the lesson."
    if lesson.scope.type == "project" and not lesson.scope.path:
        return "scope.path is missing: write the absolute path of the project."
    if lesson.confidence < config.min_confidence:
        return f"confidence is {lesson.confidence:g}, below minConfidence {config.min_confidence:g}."
    if lesson.priority < config.min_priority:
        return f"priority is {lesson.priority}, below minPriority {config.min_priority}."
    return ""


def published_entry(lesson: Lesson, find: Danger = find_danger) -> tuple[entries.Published, str]:
    """Returns the entry of a lesson, and why it is left out whatever the settings; empty if it is not."""
    published = entries.entry_of(lesson, find)
    if not entries.is_unusable(lesson, published.entry):
        return published, ""
    return published, " ".join(published.left_out) or "it has no trigger: add a pattern, a tool or sessionStart."


def _finder(home: str) -> Danger:
    """Does not try the patterns of the manifest again: they were tried when it was written, and it takes long."""
    tried: set[tuple[str, int]] = set()
    with suppress(manifest.UnusableManifest, ValueError):
        for entry in manifest.read(home)[1].values():
            items = [item for key in REGEX_KEYS if isinstance(some := entry.get(key), list) for item in some]
            tried |= {
                to_python(str(item.get("source")), str(item.get("flags", "")))
                for item in items
                if isinstance(item, dict)
            }
    return lambda source, flags: None if (source, flags) in tried else find_danger(source, flags)


def build_one(lesson: Lesson, find: Danger) -> Built:
    published, reason = published_entry(lesson, find)
    wrong, odd = published.left_out, list[str]()
    if not reason:
        wrong = wrong + examples.failures(lesson, published.entry)
        odd = [*intake.record_problems(lesson, intake.TEXTS), *entries.warnings_about(published.entry)]
    wrong, odd = [[f"{lesson.slug}: {sentence}" for sentence in sentences] for sentences in (wrong, odd)]
    return Built(reason, wrong, odd, {} if reason else published.entry)


def built_lessons(home: str) -> Iterator[Built]:
    """Yields the lessons of lessons.json as a build makes them, whether it would leave them out or not."""
    find = _finder(home)
    return (build_one(lesson, find) for lesson in lesson_file.read(home).lessons())


def _kept(home: str, team: Team) -> BuildReport | None:
    """Keeps the lessons of any manifest if lessons.json is missing, and builds its index.

    Lessons of projects are not kept: without lessons.json none of theirs acts besides the others.
    """
    stamp = manifest.stamp(home)
    try:
        settings, lessons = manifest.read(home)
    except manifest.UnusableManifest:
        return None
    own = {identifier: entry for identifier, entry in lessons.items() if "trustedFrom" not in entry}
    if not own or stamp is None:
        return None
    usable: dict[str, Indexed] = {}
    excluded = []
    for identifier, entry in own.items():
        try:
            usable[identifier] = indexed(identifier, entry)
        except Exception as fault:  # a foreign file may contain anything
            excluded.append(Exclusion(str(entry.get("slug", identifier)), f"its patterns cannot be used ({fault})."))
    now = decisions.now()
    if len(own) < len(lessons):
        kept = {identifier: own[identifier] for identifier in usable}
        _write(home, load(home), kept, list(usable.values()), now, manifest.sources(home))
    else:
        write_index(home, stamp, settings, list(usable.values()), manifest.sources(home))
    messages = [f"{paths.lessons_file(home)} does not exist: the manifest that is there is left as it is."]
    messages += [f"{each.lesson.slug}: {each.path} waits until there is a lessons.json." for each in team.lessons]
    return BuildReport(len(usable), excluded, messages, now)


def _set_aside_foreign(home: str) -> list[str]:
    """Sets aside a manifest of another system, or a damaged one; never overwrites it."""
    path = paths.manifest_file(home)
    try:
        with open(path, encoding="utf-8") as file:
            document = json_text.decode(file.read())
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError):
        document = None
    if isinstance(document, dict) and document.get("builtBy") == manifest.BUILT_BY:
        return []
    return [f"the manifest was not written by lessons and is kept as {files.set_aside(path)}."]


def settings_of(config: Config) -> dict[str, object]:
    """Returns the settings in the manifest."""
    document = msgspec.to_builtins(config)
    settings: dict[str, object] = {name: document[name] for name in _SETTINGS}
    if config.exclude_projects:
        settings["excludeProjects"] = patterns_of(config.exclude_projects)
    return settings


def write_lessons(home: str, config: Config, lessons: dict[str, Entry], now: str) -> None:
    """Writes existing entries as the only lessons of the home."""
    _write(home, config, lessons, [indexed(*each) for each in lessons.items()], now, ())


def _write(
    home: str, config: Config, lessons: dict[str, Entry], found: list[Indexed], now: str, sources: tuple[Stamp, ...]
) -> None:
    document = {
        "type": manifest.TYPE,
        "version": manifest.VERSION,
        "builtBy": manifest.BUILT_BY,
        "generatedAt": now,
        "config": settings_of(config),
        "lessons": lessons,
    }
    # Written even if nothing is new: its time says when it was checked.
    text = json.dumps(document, separators=(",", ":")) + "\n"
    files.write_bytes(paths.manifest_file(home), text.encode(), always=True)
    stamp = manifest.stamp(home)
    assert stamp is not None
    write_index(home, stamp, settings_of(config), found, sources)


def write_index(
    home: str,
    stamp: Stamp,
    settings: dict[str, object],
    lessons: Sequence[Indexed],
    sources: tuple[Stamp, ...],
) -> None:
    """Writes a private file: the hook does not trust an index that somebody else could have written."""
    files.write_bytes(paths.hook_index_file(home), pack(stamp, settings, lessons, sources))
    os.chmod(paths.hook_index_file(home), 0o600)
