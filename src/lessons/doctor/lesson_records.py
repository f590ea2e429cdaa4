"""Checks lessons.json: its records, their patterns and examples."""

import random
from collections.abc import Iterator

from lessons.check import Check
from lessons.errors import LessonsError
from lessons.lesson_fields import PATTERNS, patterns_in
from lessons.promote.publish import entry as entries
from lessons.promote.publish import examples
from lessons.promote.slow_regex.memory import remembering
from lessons.promote.slow_regex.probe import find_danger
from lessons.store import compiled_lessons, lesson_file
from lessons.store.lesson_file import LessonFile
from lessons.store.lesson_record import lesson_of

# Unchanged lessons keep the result of the build; a random sample of this size is tested again each time.
_MOST_TRIED = 300


def checks(home: str) -> Iterator[Check]:
    try:
        file = lesson_file.read(home)
    except LessonsError as damaged:
        yield Check("lessons.json", False, str(damaged), "Fix the file. Until then the last build stays in use.")
        return
    found = _known_faults(home)
    usable, problems = file.sorted_out(found)
    if problems:
        yield Check("lessons.json", False, " ".join(problem.sentence for problem in problems), "Fix the records.")
    else:
        yield Check("lessons.json", True, f"{len(usable)} lessons.")
    tried = sorted(random.sample(usable, min(len(usable), _MOST_TRIED)))
    yield _triggers_and_examples(home, file, usable, tried, found)


def _known_faults(home: str) -> dict[bytes, tuple[str, ...]]:
    """Returns what the last build found wrong with patterns and examples, by the digest of each compiled record."""
    rows = compiled_lessons.rows(home)
    found: dict[bytes, tuple[str, ...]] = dict.fromkeys(rows.each_digest(), ())
    for place in rows.not_plain():
        row = rows.row(place)
        if row.compiled:
            found[row.digest] = row.compiled.wrong
        else:
            found.pop(row.digest, None)  # two identical records share a digest
    return found


def _triggers_and_examples(
    home: str, file: LessonFile, usable: list[int], tried: list[int], found: dict[bytes, tuple[str, ...]]
) -> Check:
    digests, patterns = file.digests(), 0
    wrong = {number: list(found.get(digests[number - 1], ())) for number in usable}
    with remembering(home):
        for number in tried:
            lesson = lesson_of(file.record(number))
            published = entries.entry_of(lesson, find_danger)
            patterns += sum(len(each) for _, each in patterns_in(lesson.triggers, PATTERNS))
            sentences = [*published.left_out, *examples.failures(lesson, published.entry)]
            wrong[number] = [f"{lesson.slug}: {sentence}" for sentence in sentences]
    if faults := [sentence for sentences in wrong.values() for sentence in sentences]:
        return Check("triggers and examples", False, "\n".join(faults), "Change the lesson with `lessons edit SLUG`.")
    detail = f"{patterns} patterns compile, all examples pass."
    some = f"{len(tried)} of {len(usable)} lessons were tried: " if len(tried) < len(usable) else ""
    return Check("triggers and examples", True, some + detail)
