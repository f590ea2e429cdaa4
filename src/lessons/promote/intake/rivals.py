"""Of all lessons those few that a new one could repeat: found by what was noted of each, and only then read."""

from collections.abc import Mapping

from lessons.errors import Refused
from lessons.model import Lesson
from lessons.promote.intake.facts import facts_of
from lessons.promote.intake.signature import can_be_alike
from lessons.store import compiled_lessons, lesson_file
from lessons.store.compiled_lessons import Facts
from lessons.store.lesson_file import LessonFile
from lessons.store.lesson_names import Names
from lessons.store.lesson_record import lesson_of


class Rivals:
    """The lessons of a file; what was noted of a record counts, any other one is read."""

    def __init__(self, file: LessonFile, noted: Mapping[bytes, Facts]) -> None:
        self.names = file.names()
        self._file = file
        self._read: list[Lesson] = []
        self._noted: list[tuple[int, Facts]] = []
        taken = Names()
        for number, digest in enumerate(file.digests(), start=1):
            try:
                self._take(number, noted.get(digest), taken)
            except Refused:
                continue  # it is no lesson

    def _take(self, number: int, facts: Facts | None, taken: Names) -> None:
        if facts is None:
            lesson = lesson_of(self._file.record(number))
            taken.take(number, (lesson.id, lesson.slug))
            self._read.append(lesson)
            return
        taken.take(number, (facts.id, facts.slug))
        self._noted.append((number, facts))

    def add(self, lesson: Lesson) -> None:
        """One more, which the next ones must not repeat either."""
        self._read.append(lesson)

    def of(self, lesson: Lesson) -> list[Lesson]:
        """All but those that certainly say something else, or about other calls."""
        facts = facts_of(lesson)
        bits, patterns = int.from_bytes(facts.signature, "little"), frozenset(facts.patterns)
        found = []
        # Each is looked at: to sort them first, for the one or two lessons that are compared, takes ten times as long.
        for number, other in self._noted:
            if other.content == facts.content or other.problem == facts.problem:
                found.append(number)
                continue
            is_near = not patterns or not other.patterns or not patterns.isdisjoint(other.patterns)
            if is_near and can_be_alike(facts.words, bits, other.words, other.signature):
                found.append(number)
        return [*(lesson_of(self._file.record(number)) for number in found), *self._read]


def read(home: str) -> Rivals:
    """Of lessons.json as it is now."""
    return Rivals(lesson_file.read(home), compiled_lessons.facts(home))


def among(known: "Rivals | list[Lesson]", lesson: Lesson) -> list[Lesson]:
    """What a lesson is compared with, of many or of a few."""
    return known.of(lesson) if isinstance(known, Rivals) else known
