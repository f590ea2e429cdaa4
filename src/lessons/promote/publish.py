"""The data home in, its manifest and hook index written, and what was left out and why out."""

import _sre  # type: ignore[import-not-found]
import os
import re
import time
from datetime import UTC, datetime
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import NamedTuple

from lessons import paths
from lessons.config import Config, load
from lessons.match.dialect import to_python
from lessons.model import Lesson
from lessons.promote import entry as entries
from lessons.promote import examples
from lessons.promote.index_keys import keys_of
from lessons.promote.probe import find_danger
from lessons.store import atomic, hook_index, json_text, lesson_file, manifest
from lessons.store.lock import locked
from lessons.store.published import REGEX_KEYS


class Exclusion(NamedTuple):
    slug: str
    reason: str


class BuildReport(NamedTuple):
    """What a build did; a warning is about a lesson that is in the manifest."""

    included: int
    excluded: list[Exclusion]
    warnings: list[str]
    generated_at: str


def publish(home: str) -> BuildReport:
    """Compile lessons.json; a damaged lessons.json or config.json leaves the last manifest as it is."""
    # Alone from reading to writing: of two builds at once the later one has read the later lessons.
    with locked(paths.manifest_file(home)):
        began = time.time_ns()
        config = load(home)
        file = lesson_file.read(home)
        report, included = _sorted_out(file, config)
        write(home, config, included, report.generated_at, began)
    return report


def _sorted_out(file: lesson_file.LessonFile, config: Config) -> tuple[BuildReport, dict[str, dict[str, object]]]:
    excluded = [Exclusion(problem.name or f"lesson {problem.number}", problem.sentence) for problem in file.problems()]
    warnings: list[str] = []
    included: dict[str, dict[str, object]] = {}
    for lesson in file.lessons():
        reason = _why_excluded(lesson, config)
        if reason is None:
            published = entries.entry_of(lesson, find_danger)
            warnings += [f"{lesson.slug}: {sentence}" for sentence in published.left_out]
            if not entries.can_fire(published.entry) or entries.is_widened(lesson, published.entry):
                reason = " ".join(published.left_out) or "it has no trigger: add a pattern, a tool or sessionStart."
        if reason is not None:
            excluded.append(Exclusion(lesson.slug, reason))
            continue
        included[lesson.id] = published.entry
        warnings += [f"{lesson.slug}: {each}" for each in entries.start_warnings(lesson, published.entry)]
        warnings += [f"{lesson.slug}: {each}" for each in examples.failures(lesson, published.entry)]
    generated_at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    return BuildReport(len(included), excluded, warnings, generated_at), included


def _why_excluded(lesson: Lesson, config: Config) -> str | None:
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
    return None


def write(
    home: str, config: Config, lessons: dict[str, dict[str, object]], generated_at: str, began: int | None = None
) -> None:
    """The manifest, then the index that belongs to it; between the two the hook reads the manifest."""
    settings: dict[str, object] = {
        "injectionBudgetBytes": config.injection_budget_bytes,
        "maxLessonsPerInjection": config.max_lessons_per_injection,
        "minConfidence": config.min_confidence,
        "minPriority": config.min_priority,
        "compactionReinjectionThreshold": config.compaction_reinjection_threshold,
        "autoScanIntervalHours": config.auto_scan_interval_hours,
        "dedupScope": config.dedup_scope,
    }
    document = {
        "type": manifest.TYPE,
        "version": manifest.VERSION,
        "generatedAt": generated_at,
        "config": settings,
        "lessons": lessons,
    }
    path = paths.manifest_file(home)
    atomic.write_text(path, json_text.encode(document) + "\n")
    # It counts as old as what it was made from: lessons that were saved during the build are newer.
    moment = began or time.time_ns()
    os.utime(path, ns=(moment, moment))
    stamp = manifest.stamp(home)
    assert stamp is not None
    atomic.write_bytes(paths.hook_index_file(home), index_of(stamp, settings, lessons))


def index_of(stamp: tuple[int, int], settings: dict[str, object], lessons: dict[str, dict[str, object]]) -> bytes:
    """The hook index of a manifest's lessons."""
    records = [(identifier, _compiled(entry)) for identifier, entry in lessons.items()]
    session_start = [number for number, entry in enumerate(lessons.values()) if entry.get("sessionStart") is True]
    return hook_index.pack(stamp, settings, records, keys_of(list(lessons.values())), session_start)


def _compiled(entry: dict[str, object]) -> dict[str, object]:
    """The entry with each regex as the code that this interpreter runs."""
    left_out = ("tags", "literals")
    compiled = {key: value for key, value in entry.items() if key not in left_out}
    for key in REGEX_KEYS:
        items = entry.get(key)
        if isinstance(items, list):
            compiled[key] = [_code(item["source"], item["flags"]) for item in items]
    return compiled


def _code(source: str, flags: str) -> tuple[object, ...]:
    """The arguments from which `_sre` makes the pattern; checked against what `re` itself makes."""
    python_source, bits = to_python(source, flags)
    expected = re.compile(python_source, bits)
    parsed = _parser.parse(python_source, bits)
    # The compiler's named constants are a kind of int that cannot be stored as they are.
    code = [int(word) for word in _compiler._code(parsed, bits)]
    names = dict(parsed.state.groupdict)
    groups: list[str | None] = [None] * parsed.state.groups
    for name, number in names.items():
        groups[number] = name
    stored = (python_source, int(bits | parsed.state.flags), code, parsed.state.groups - 1, names, tuple(groups))
    if _sre.compile(*stored) != expected:
        raise AssertionError(f"the code stored for {python_source!r} is not what re makes of it")
    return stored
