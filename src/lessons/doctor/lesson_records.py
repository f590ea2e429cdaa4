"""Checks lessons.json: its records, their patterns and examples."""

from collections.abc import Iterator

from lessons.check import Check
from lessons.errors import LessonsError
from lessons.lesson_fields import PATTERNS, patterns_in
from lessons.promote.publish import entry as entries
from lessons.promote.publish import examples
from lessons.promote.slow_regex.memory import remembering
from lessons.promote.slow_regex.probe import find_danger
from lessons.store import lesson_file


def checks(home: str) -> Iterator[Check]:
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
    wrong, patterns = [], 0
    with remembering(home):
        all_published = [(lesson, entries.entry_of(lesson, find_danger)) for lesson in lessons]
    for lesson, published in all_published:
        patterns += sum(len(each) for _, each in patterns_in(lesson.triggers, PATTERNS))
        wrong += [f"{lesson.slug}: {sentence}" for sentence in published.left_out]
        wrong += [f"{lesson.slug}: {sentence}" for sentence in examples.failures(lesson, published.entry)]
    fix = "Change the lesson with `lessons edit SLUG`."
    detail = "\n".join(wrong) if wrong else f"{patterns} patterns compile, all examples pass."
    yield Check("triggers and examples", not wrong, detail, fix if wrong else "")
