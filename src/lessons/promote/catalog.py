"""Lists, adds, changes, retires and removes lessons, and rebuilds the manifest."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from lessons import config
from lessons.errors import Refused
from lessons.match.rule import in_project
from lessons.model import REVIEW_BELOW_CONFIDENCE, Lesson
from lessons.promote import intake
from lessons.promote.publish.build import BuildReport, publish
from lessons.promote.team import acting
from lessons.promote.trigger_rules import anchored, bare_word_warnings
from lessons.store import decisions, lesson_file


class Stored(NamedTuple):
    """The stored record, warnings about it, and the build after it."""

    record: dict[str, object]
    warnings: list[str]
    build: BuildReport


class Listed(NamedTuple):
    """Lessons, and a sentence for each that cannot be used."""

    records: list[dict[str, object]]
    warnings: list[str]


def listed(home: str, stages: Collection[str]) -> Listed:
    """Your own lessons with one of these stages, then those of trusted projects."""
    file = lesson_file.read(home)
    team = acting(home, file)
    usable = [each for each in file.each() if isinstance(each.found, Lesson)]
    records = [*(each.record for each in usable), *(each.record() for each in team.lessons)]
    left_out = (f"{path}: {reason}" for path, reason in team.left_out)
    warnings = [*(problem.sentence for problem in file.problems()), *team.messages, *left_out]
    return Listed([each for each in records if each.get("stage", "active") in stages], warnings)


def add(home: str, document: dict[str, object], typed: Collection[str] = ()) -> Stored:
    return add_all(home, [document], typed)[0]


def add_all(home: str, documents: Sequence[dict[str, object]], typed: Collection[str] = ()) -> list[Stored]:
    """Check and store several: all of them, or none where one is refused. `lessons undo` knows them by their time.

    `typed`: the texts that a person typed; they may be short.
    """
    config.load(home)  # a lesson that could not be published afterwards is better not stored at all
    now = datetime.now(UTC)
    records: list[tuple[dict[str, object], list[str]]] = []
    with lesson_file.change(home) as file:
        known = file.lessons()
        for document in documents:
            record = intake.normalise(document, file.names(), now)
            warnings = [*_accepted(intake.check_new(record, known, typed)), *bare_word_warnings(document)]
            known.append(file.add(record))
            records.append((record, warnings))
    build = publish(home)
    return [Stored(record, warnings, build) for record, warnings in records]


def change_all(
    home: str, records: Sequence[dict[str, object]], changes: Mapping[str, dict[str, object]]
) -> BuildReport:
    """Store complete records that were checked, and merge changes into lessons by their ids; with one build."""
    config.load(home)  # lessons that could not be published afterwards are better not stored at all
    with lesson_file.change(home) as file:
        for record in records:
            file.add(record)
        for name, changed in changes.items():
            file.replace(name, {**changed, "updatedAt": decisions.now()})
    return publish(home)


def of_agent(document: dict[str, object], author: Mapping[str, object], root: str) -> dict[str, object]:
    """Returns the record as an agent may add it: a hint in the project `root`; all else needs a person's review."""
    scope = document.get("scope") or {"type": "project", "path": root}
    path = scope.get("path") if isinstance(scope, dict) and scope.get("type") == "project" else None
    is_in_project = isinstance(path, str) and in_project((root,), os.path.realpath(path))
    is_of_machine = in_project((root,), os.path.expanduser("~"))  # not a project: the home folder lies in it
    is_hint = not (document.get("block") or document.get("stopOnce"))
    needs_review = bool(document.get("needsReview")) or not (is_hint and is_in_project) or is_of_machine
    return {**document, **author, "scope": scope, "needsReview": needs_review}


def edit(home: str, name: str, changes: dict[str, object], typed: Collection[str] = ()) -> Stored:
    """Merge changes into a lesson: None removes a field, an object is merged, anything else is set."""
    config.load(home)  # a lesson that could not be published afterwards is better not stored at all
    warnings: list[str] = []
    confidence = changes.get("confidence")
    if isinstance(confidence, int | float) and "needsReview" not in changes:
        changes = {**changes, "needsReview": confidence < REVIEW_BELOW_CONFIDENCE}
    scope = changes.get("scope")
    if isinstance(scope, dict) and scope.get("type") in ("global", "machine"):
        changes = {**changes, "scope": {"path": None, **scope}}  # only a project has one
    with lesson_file.change(home) as file:
        before = file.find(name)
        lesson = file.replace(str(before["slug"]), anchored(changes))
        if file.changed:
            others = [other for other in file.lessons() if other.id != lesson.id]
            lesson = file.replace(lesson.slug, {"contentHash": intake.hash_of(lesson), "updatedAt": decisions.now()})
            unchanged = [name for name in intake.TEXTS if name not in changes]
            found = intake.check_record(file.find(lesson.slug), others, [*typed, *unchanged])
            # Duplicates that are there already may be changed in everything else.
            has_new_text = (before.get("problem"), before.get("solution")) != (lesson.problem, lesson.solution)
            same = intake.same_text_problems(lesson, others) if has_new_text else ()
            warnings = [*_accepted(found._replace(problems=[*found.problems, *same])), *bare_word_warnings(changes)]
        record = file.find(lesson.slug)
    return Stored(record, warnings, publish(home))


def remove(home: str, name: str, is_as_expected: Callable[[dict[str, object]], bool]) -> BuildReport:
    """Remove a lesson from the file; refused if the record is not as expected."""
    with lesson_file.change(home) as file:
        record = file.find(name)
        if not is_as_expected(record):
            changed = f"{record['slug']} was changed since"
            raise Refused(f"{changed} and is kept. Run `lessons archive {record['slug']}` to retire it.")
        file.remove(name)
    return publish(home)


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
    with lesson_file.change(home) as file:
        record = file.find(name)
        changes = changes_of(record)
        if record.get("stage") != changes["stage"]:
            file.replace(str(record["slug"]), {**changes, "updatedAt": decisions.now()})
        record = file.find(str(record["slug"]))
    return Stored(record, [], publish(home))


def _accepted(found: intake.Intake) -> list[str]:
    """Warnings about a lesson that may come in; one that may not is refused with every reason at once."""
    if found.problems:
        raise Refused("\n".join(found.problems))
    return found.warnings


def describe(record: dict[str, object]) -> str:
    if record.get("block") is True:
        return "block"
    if record.get("stopOnce") is True:
        return "stop once"
    triggers = record.get("triggers")
    if isinstance(triggers, dict) and triggers.get("sessionStart") is True:
        return "session start"
    return "hint"
