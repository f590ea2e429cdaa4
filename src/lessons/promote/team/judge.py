"""Checks the lesson files of a project, and records that the user trusts them."""

from collections.abc import Iterable
from typing import NamedTuple

from lessons.errors import LessonsError
from lessons.model import Lesson, document_from_lesson
from lessons.promote import catalog
from lessons.promote.publish.entry import entry_of
from lessons.promote.slow_regex.probe import find_danger
from lessons.promote.team.team import lesson_of
from lessons.store import project_folder, trusted
from lessons.store.project_folder import ProjectFile
from lessons.store.trusted import Trust


class Judged(NamedTuple):
    """One file of a project; without a lesson if none could be read."""

    file: ProjectFile
    lesson: Lesson | None
    problems: list[str]
    warnings: list[str]


def judge(root: str, known: Iterable[Lesson] = (), taken: Iterable[str] = ()) -> list[Judged]:
    """Checks every file of a project by the rules for lessons; `known` and the names `taken` are the user's own."""
    return judge_files(root, project_folder.read(root), known, taken)


def judge_files(
    root: str, files: Iterable[ProjectFile], known: Iterable[Lesson] = (), taken: Iterable[str] = ()
) -> list[Judged]:
    """Checks files that were already read."""
    accepted, slugs = list(known), dict.fromkeys(taken, "one of your lessons")
    found = []
    for file in files:
        try:
            lesson = lesson_of(file, root)
        except LessonsError as refused:
            found.append(Judged(file, None, [str(refused)], []))
            continue
        problems, warnings = _checked(lesson, accepted)
        if lesson.slug in slugs:
            problems = [f"slug is {lesson.slug}, already used by {slugs[lesson.slug]}: rename one."]
        if not problems:
            accepted.append(lesson)
        slugs.setdefault(lesson.slug, file.name)
        found.append(Judged(file, lesson, problems, warnings))
    return found


def _checked(lesson: Lesson, known: list[Lesson]) -> tuple[list[str], list[str]]:
    """Returns problems and warnings of intake; a slow pattern is a problem here, as nobody would fix it."""
    problems, warnings = catalog.check_new(document_from_lesson(lesson), known)
    if lesson.needs_review:
        problems = [*problems, f"needsReview is true (confidence {lesson.confidence:g}): a person must approve it."]
    return problems or entry_of(lesson, find_danger).left_out, warnings


def trust(home: str, root: str, judged: list[Judged], now: str) -> None:
    """Records what the user has seen and agreed to."""
    taken = {each.file.name: each.file.digest for each in judged if not each.problems}
    refused = {each.file.name: each.file.digest for each in judged if each.problems}
    trusted.note(home, root, Trust(now, taken, refused))
