"""Lists, adds, changes, retires and removes lessons, and rebuilds the manifest."""

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from itertools import chain
from typing import NamedTuple, TypedDict, cast

from lessons import config
from lessons.collection import without_collection
from lessons.errors import Refused
from lessons.model import REVIEW_BELOW_CONFIDENCE, Lesson, lesson_from_document
from lessons.promote.intake import intake, rivals
from lessons.promote.intake.bare_words import anchored, bare_word_warnings
from lessons.promote.intake.rivals import Rivals
from lessons.promote.publish import examples
from lessons.promote.publish.entry import entry_of, start_warnings
from lessons.promote.publish.publish import BuildReport, publish
from lessons.promote.slow_regex.memory import remembering
from lessons.promote.slow_regex.probe import find_danger
from lessons.promote.team.team import TeamLesson, acting
from lessons.store import compiled_lessons, lesson_file
from lessons.store.lesson_file import LessonFile


class Stored(NamedTuple):
    """The stored record, warnings about it, and the build after it."""

    record: dict[str, object]
    warnings: list[str]
    build: BuildReport


class Records:
    """Lessons as they stand in their files; each pass reads them anew, so that they need not fit into memory."""

    def __init__(
        self, file: LessonFile, numbers: list[int], of_projects: list[TeamLesson], stages: Collection[str]
    ) -> None:
        self._file = file
        self._numbers = numbers
        self._of_projects = of_projects
        self._stages = stages

    def __iter__(self) -> Iterator[dict[str, object]]:
        return self._each(dict[str, object])

    def in_brief(self) -> Iterator[dict[str, object]]:
        """Only the fields that a list shows."""
        return self._each(cast(type[dict[str, object]], _InBrief))

    def held(self) -> AbstractContextManager[None]:
        """All passes find the same, even if the file is replaced meanwhile."""
        return self._file.held()

    def _each(self, kind: type[dict[str, object]]) -> Iterator[dict[str, object]]:
        own = self._file.chosen(self._numbers, kind)
        for record in chain(own, (each.record() for each in self._of_projects)):
            if record.get("stage", "active") in self._stages:
                yield record


class Listed(NamedTuple):
    """Lessons, and a sentence for each that cannot be used."""

    records: Records
    warnings: list[str]


class _InBrief(TypedDict, total=False):
    """What a list shows of a record."""

    slug: object
    summary: object
    stage: object
    block: object
    stopOnce: object
    needsReview: object
    priority: object
    triggers: "_TriggersInBrief"


class _TriggersInBrief(TypedDict, total=False):
    sessionStart: object


@without_collection()
def listed(home: str, stages: Collection[str]) -> Listed:
    """Your own lessons with one of these stages, then those of trusted projects."""
    file = lesson_file.read(home)
    # By position: in a file that a person edits, two records may have the same id.
    numbers, problems = file.sorted_out(compiled_lessons.lesson_digests(home))
    team = acting(home, file)
    left_out = (f"{path}: {reason}" for path, reason in team.left_out)
    warnings = [*(problem.sentence for problem in problems), *team.messages, *left_out]
    return Listed(Records(file, numbers, team.lessons, stages), warnings)


def add(home: str, document: dict[str, object]) -> Stored:
    return add_all(home, [document])[0]


def add_all(home: str, documents: list[dict[str, object]]) -> list[Stored]:
    """Check and store several: all of them, or none where one is refused."""
    config.load(home)  # a lesson that could not be published afterwards is better not stored at all
    records: list[tuple[dict[str, object], list[str]]] = []
    with without_collection(), remembering(home), lesson_file.change(home) as file:
        known = Rivals(file, compiled_lessons.rows(home))
        for document in documents:
            record = intake.normalise(document, file.names())
            warnings = [*_accepted(check_new(record, known)), *bare_word_warnings(document)]
            known.add(file.add(record))
            records.append((record, warnings))
        del known  # a build needs the memory
    build = publish(home, file)
    return [Stored(record, warnings, build) for record, warnings in records]


def edit(home: str, name: str, changes: dict[str, object]) -> Stored:
    """Merge changes into a lesson: None removes a field, an object is merged, anything else is set."""
    config.load(home)  # a lesson that could not be published afterwards is better not stored at all
    warnings: list[str] = []
    confidence = changes.get("confidence")
    if isinstance(confidence, int | float) and "needsReview" not in changes:
        changes = {**changes, "needsReview": confidence < REVIEW_BELOW_CONFIDENCE}
    scope = changes.get("scope")
    if isinstance(scope, dict) and scope.get("type") in ("global", "machine"):
        changes = {**changes, "scope": {"path": None, **scope}}  # only a project has one
    with without_collection(), remembering(home), lesson_file.change(home) as file:
        before = file.find(name)
        lesson = file.replace(str(before["slug"]), anchored(changes))
        if file.changed:
            known = Rivals(file, compiled_lessons.rows(home)).of(lesson)
            others = [other for other in known if other.id != lesson.id]
            lesson = file.replace(lesson.slug, {"contentHash": intake.hash_of(lesson), "updatedAt": _now()})
            found = _check(file.find(lesson.slug), others)
            # Duplicates that are there already may be changed in everything else.
            has_new_text = (before.get("problem"), before.get("solution")) != (lesson.problem, lesson.solution)
            same = intake.same_text_problems(lesson, others) if has_new_text else ()
            warnings = [*_accepted(found._replace(problems=[*found.problems, *same])), *bare_word_warnings(changes)]
        record = file.find(lesson.slug)
    return Stored(record, warnings, publish(home, file))


def remove(home: str, name: str, is_as_expected: Callable[[dict[str, object]], bool]) -> BuildReport:
    """Remove a lesson from the file; refused if the record is not as expected."""
    with without_collection(), lesson_file.change(home) as file:
        record = file.find(name)
        if not is_as_expected(record):
            changed = f"{record['slug']} was changed since"
            raise Refused(f"{changed} and is kept. Run `lessons archive {record['slug']}` to retire it.")
        file.remove(name)
    return publish(home, file)


def retire(home: str, name: str) -> Stored:
    """Retire a lesson: it stays in the file but no longer fires. No rule prevents this."""

    def changes(record: dict[str, object]) -> dict[str, object]:
        before = record.get("stage")
        return {"stage": "retired", "retiredFrom": before if before == "shadow" else None}

    return _set_stage(home, name, changes)


def restore(home: str, name: str) -> Stored:
    """Bring back a retired lesson; one that was in shadow returns to shadow."""

    def changes(record: dict[str, object]) -> dict[str, object]:
        if record.get("stage") != "retired":
            raise Refused(f"{record['slug']} is not retired: its stage is {record.get('stage', 'active')}.")
        return {"stage": record.get("retiredFrom"), "retiredFrom": None}

    return _set_stage(home, name, changes)


def _set_stage(home: str, name: str, changes_of: Callable[[dict[str, object]], dict[str, object]]) -> Stored:
    with without_collection(), lesson_file.change(home) as file:
        record = file.find(name)
        changes = changes_of(record)
        if record.get("stage") != changes["stage"]:
            file.replace(str(record["slug"]), {**changes, "updatedAt": _now()})
        record = file.find(str(record["slug"]))
    return Stored(record, [], publish(home, file))


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def check_new(record: dict[str, object], known: Rivals | list[Lesson]) -> intake.Intake:
    """Problems and warnings of a complete record; nothing is stored."""
    others = rivals.among(known, lesson_from_document(record))
    found = _check(record, others)
    return found._replace(problems=[*found.problems, *_near(record, others, found.problems)])


def _near(record: dict[str, object], known: list[Lesson], problems: list[str]) -> list[str]:
    # An exact duplicate is reported already.
    if any(sentence.startswith("contentHash") for sentence in problems):
        return []
    lesson = lesson_from_document(record)
    return list(intake.same_text_problems(lesson, known)) or list(intake.near_duplicate_problems(lesson, known))


def _check(record: dict[str, object], known: list[Lesson]) -> intake.Intake:
    lesson = lesson_from_document(record)
    found = intake.check(lesson, known)
    if found.problems:
        return found
    published = entry_of(lesson, find_danger)
    # A dangerous pattern is stored with a warning: it must not be tried on the examples.
    wrong = [] if published.left_out else examples.failures(lesson, published.entry)
    return intake.Intake(wrong, found.warnings + start_warnings(lesson, published.entry))


def _accepted(found: intake.Intake) -> list[str]:
    """Warnings about a lesson that may come in; one that may not is refused with every reason at once."""
    if found.problems:
        raise Refused("\n".join(found.problems))
    return found.warnings


def describe(record: dict[str, object]) -> str:
    """The effect of a lesson in a word or two."""
    if record.get("block") is True:
        return "block"
    if record.get("stopOnce") is True:
        return "stop once"
    triggers = record.get("triggers")
    if isinstance(triggers, dict) and triggers.get("sessionStart") is True:
        return "session start"
    return "hint"
