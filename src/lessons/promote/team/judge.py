"""The files of a project in, each with its lesson or with what keeps that out, out; and the person's yes noted."""

from collections.abc import Iterable
from typing import NamedTuple

from lessons.errors import LessonsError
from lessons.model import Lesson, document_from_lesson
from lessons.promote import library
from lessons.promote.publish.entry import entry_of
from lessons.promote.slow_regex.probe import find_danger
from lessons.promote.team.team import lesson_of
from lessons.store import project_folder, trusted
from lessons.store.project_folder import ProjectFile
from lessons.store.trusted import Trust


class Judged(NamedTuple):
    """One file of a project; without a lesson where it has none that could be read."""

    file: ProjectFile
    lesson: Lesson | None
    problems: list[str]
    warnings: list[str]


def judge(root: str, known: Iterable[Lesson] = (), taken: Iterable[str] = ()) -> list[Judged]:
    """Every file of a project by the rules for lessons; `known` and the names `taken` are the person's own."""
    return judge_files(root, project_folder.read(root), known, taken)


def judge_files(
    root: str, files: Iterable[ProjectFile], known: Iterable[Lesson] = (), taken: Iterable[str] = ()
) -> list[Judged]:
    """The same of files that were read already."""
    accepted, slugs = list(known), dict.fromkeys(taken, "a lesson of your own, and yours wins")
    found = []
    for file in files:
        try:
            lesson = lesson_of(file, root)
        except LessonsError as refused:
            found.append(Judged(file, None, [str(refused)], []))
            continue
        problems, warnings = _checked(lesson, accepted)
        if lesson.slug in slugs:
            problems = [f"slug is {lesson.slug}, also that of {slugs[lesson.slug]}: give it another one."]
        if not problems:
            accepted.append(lesson)
        slugs.setdefault(lesson.slug, file.name)
        found.append(Judged(file, lesson, problems, warnings))
    return found


def _checked(lesson: Lesson, known: list[Lesson]) -> tuple[list[str], list[str]]:
    """What intake has against it; a slow pattern keeps it out here, for nobody would mend it."""
    problems, warnings = library.check_new(document_from_lesson(lesson), known)
    if lesson.needs_review:
        problems = [*problems, f"needsReview is true (confidence {lesson.confidence:g}): a person is to approve it."]
    return problems or entry_of(lesson, find_danger).left_out, warnings


def trust(home: str, root: str, judged: list[Judged], now: str) -> None:
    """Note what the person has seen and agreed to."""
    taken = {each.file.name: each.file.digest for each in judged if not each.problems}
    refused = {each.file.name: each.file.digest for each in judged if each.problems}
    trusted.note(home, root, Trust(now, taken, refused))
