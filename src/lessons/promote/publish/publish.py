"""Writes the manifest and the hook index of a data home, and reports what was left out and why."""

import _sre  # type: ignore[import-not-found]
import os
import re
from datetime import UTC, datetime
from itertools import combinations
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import NamedTuple

from lessons import paths
from lessons.config import RULES, Config, load, variable_for
from lessons.match.dialect import to_python
from lessons.model import Lesson
from lessons.promote.intake import intake
from lessons.promote.publish import entry as entries
from lessons.promote.publish import examples, index_file
from lessons.promote.publish.conditions import state_warnings
from lessons.promote.publish.index_keys import keys_of, needs_of
from lessons.promote.slow_regex.memory import remembering
from lessons.promote.slow_regex.probe import find_danger
from lessons.promote.team.team import Team, acting
from lessons.store import atomic, json_text, lesson_file, manifest
from lessons.store.consent import patterns_of
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
    with locked(paths.manifest_file(home)), remembering(home):
        sources = manifest.sources(home)
        config = load(home)
        file = lesson_file.read(home)
        team = acting(home, file)
        if file.text is None and (kept := _kept(home, team)):
            return kept
        report, included = _sorted_out(file, team, config)
        warnings = [*_override_warnings(), *_set_aside_foreign(home), *report.warnings]
        write(home, config, included, report.generated_at, sources)
    return report._replace(warnings=warnings)


def _kept(home: str, team: Team) -> BuildReport | None:
    """Where lessons.json is missing the lessons of a manifest, whoever wrote it, are not lost: it gets its index.

    Those that projects brought are no such lessons: without lessons.json none of theirs acts beside the others.
    """
    stamp = manifest.stamp(home)
    try:
        settings, lessons = manifest.read(home)
    except manifest.UnusableManifest:
        return None
    if not lessons or stamp is None:
        return None
    usable: dict[str, dict[str, object]] = {}
    excluded = []
    own = {identifier: entry for identifier, entry in lessons.items() if "trustedFrom" not in entry}
    if not own:
        return None
    for identifier, entry in own.items():
        try:
            _compiled(entry)
            usable[identifier] = entry
        except Exception as fault:  # anything may stand in a file that is not ours
            excluded.append(Exclusion(str(entry.get("slug", identifier)), f"its patterns cannot be used ({fault})."))
    said = [f"{paths.lessons_file(home)} does not exist: the manifest that is there is left as it is."]
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    if len(own) < len(lessons):
        write(home, load(home), usable, now, manifest.sources(home))
    else:
        write_index(home, index_of(stamp, settings, usable, manifest.sources(home)))
    said += [f"{each.lesson.slug}: {each.path} waits until there is a lessons.json." for each in team.lessons]
    return BuildReport(len(usable), excluded, said, now)


def _set_aside_foreign(home: str) -> list[str]:
    """What another system wrote, or a damaged manifest, is never overwritten."""
    path = paths.manifest_file(home)
    if not os.path.exists(path) or _is_ours(home):
        return []
    return [f"the manifest was not written by lessons and is kept as {atomic.set_aside(path)}."]


def _is_ours(home: str) -> bool:
    try:
        with open(paths.manifest_file(home), encoding="utf-8") as file:
            document = json_text.decode(file.read())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("builtBy") == manifest.BUILT_BY


def _override_warnings() -> list[str]:
    variables = [variable_for(key) for key in RULES if os.environ.get(variable_for(key))]
    return [f"{name} is set here and was built in: a build without it undoes that." for name in variables]


def _sorted_out(
    file: lesson_file.LessonFile, team: Team, config: Config
) -> tuple[BuildReport, dict[str, dict[str, object]]]:
    excluded = [Exclusion(problem.name or f"lesson {problem.number}", problem.sentence) for problem in file.problems()]
    excluded += [Exclusion(name, reason) for name, reason in team.left_out]
    warnings = list(team.told)
    included: dict[str, dict[str, object]] = {}
    of_projects = {each.lesson.id: each.path for each in team.lessons}
    for lesson in [*file.lessons(), *(each.lesson for each in team.lessons)]:
        published, reason = published_entry(lesson, config)
        warnings += [f"{lesson.slug}: {sentence}" for sentence in published.left_out]
        if reason:
            excluded.append(Exclusion(lesson.slug, reason))
            continue
        if lesson.id in of_projects:
            published.entry["trustedFrom"] = of_projects[lesson.id]
        included[lesson.id] = published.entry
        warnings += [f"{lesson.slug}: {each}" for each in entries.start_warnings(lesson, published.entry)]
        warnings += [f"{lesson.slug}: {each}" for each in state_warnings(lesson)]
        warnings += [f"{lesson.slug}: {each}" for each in examples.failures(lesson, published.entry)]
    warnings += _same_text_warnings([lesson for lesson in file.lessons() if lesson.id in included])
    generated_at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    return BuildReport(len(included), excluded, warnings, generated_at), included


def _same_text_warnings(lessons: list[Lesson]) -> list[str]:
    """Of lessons that came in before this was refused, or by hand."""
    by_text: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        by_text.setdefault(intake.text_key(lesson.problem), []).append(lesson)
    pairs = ((one, other) for alike in by_text.values() for one, other in combinations(alike, 2))
    remedy = "put the triggers of both into one lesson"
    return [
        f"{other.slug}: problem and solution are the same as those of {one.slug}, and both are shown: {remedy}."
        for one, other in pairs
        if intake.is_same_text(one, other)
    ]


def published_entry(lesson: Lesson, config: Config) -> tuple[entries.Published, str]:
    """The entry of a lesson, and why it is left out of the manifest: nothing where it is in it."""
    if reason := _why_excluded(lesson, config):
        return entries.Published({}, []), reason
    published = entries.entry_of(lesson, find_danger)
    if entries.can_fire(published.entry) and not entries.is_widened(lesson, published.entry):
        return published, ""
    return published, " ".join(published.left_out) or "it has no trigger: add a pattern, a tool or sessionStart."


def _why_excluded(lesson: Lesson, config: Config) -> str:
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


def write(
    home: str,
    config: Config,
    lessons: dict[str, dict[str, object]],
    generated_at: str,
    sources: tuple[tuple[int, int], ...] = (),
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
        "lessonProtocol": config.lesson_protocol,
    }
    if config.exclude_projects:
        settings["excludeProjects"] = patterns_of(config.exclude_projects)
    document = {
        "type": manifest.TYPE,
        "version": manifest.VERSION,
        "builtBy": manifest.BUILT_BY,
        "generatedAt": generated_at,
        "config": settings,
        "lessons": lessons,
    }
    atomic.write_text(paths.manifest_file(home), json_text.encode(document) + "\n")
    os.utime(paths.manifest_file(home))  # newer than what it was made from, also where the text is the same
    stamp = manifest.stamp(home)
    assert stamp is not None
    write_index(home, index_of(stamp, settings, lessons, sources))


def write_index(home: str, data: bytes) -> None:
    """For the user alone: the hook does not believe an index that somebody else could have written."""
    atomic.write_bytes(paths.hook_index_file(home), data)
    os.chmod(paths.hook_index_file(home), 0o600)


def index_of(
    stamp: tuple[int, int],
    settings: dict[str, object],
    lessons: dict[str, dict[str, object]],
    sources: tuple[tuple[int, int], ...] = (),
) -> bytes:
    records = [(identifier, needs_of(entry), _compiled(entry)) for identifier, entry in lessons.items()]
    session_start = [number for number, entry in enumerate(lessons.values()) if entry.get("sessionStart") is True]
    return index_file.pack(stamp, settings, records, keys_of(list(lessons.values())), session_start, sources)


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
