"""Of all lessons those few that a new one could repeat: found by what was noted of each, and only then read."""

from lessons.errors import Refused
from lessons.model import Lesson
from lessons.promote.intake.facts import facts_of
from lessons.promote.intake.signature import can_be_alike
from lessons.store import compiled_lessons, lesson_file
from lessons.store.compiled_rows import Facts, Rows
from lessons.store.lesson_file import LessonFile
from lessons.store.lesson_names import Names
from lessons.store.lesson_record import lesson_of


class Rivals:
    """The lessons of a file; what was noted of a record counts, any other one is read."""

    def __init__(self, file: LessonFile, noted: Rows) -> None:
        self.names = file.names()
        self._file = file
        self._noted = noted
        self._read: list[Lesson] = []
        self._digests = file.digests()
        self._ignored: set[int] = set()  # numbers of records that are no lessons, by their names
        unknown = set(self._digests).difference(noted.each_digest())
        taken = None if file.has_distinct_names() else Names()
        for number, digest in enumerate(self._digests, start=1) if taken or unknown else ():
            if taken or digest in unknown:
                self._take(number, digest not in unknown, taken)

    def _take(self, number: int, is_known: bool, taken: Names | None) -> None:
        try:
            lesson = lesson_of(self._file.record(number))
            if taken:
                taken.take(number, (lesson.id, lesson.slug))
            if not is_known:
                self._read.append(lesson)
        except Refused:
            self._ignored.add(number)

    def add(self, lesson: Lesson) -> None:
        """One more, which the next ones must not repeat either."""
        self._read.append(lesson)

    def of(self, lesson: Lesson) -> list[Lesson]:
        """All but those that certainly say something else, or about other calls."""
        facts = facts_of(lesson)
        same = {*self._noted.having_digest(self._noted.contents, facts.content)}
        same.update(self._noted.having_digest(self._noted.problems, facts.problem))
        bits = int.from_bytes(facts.signature, "little")
        near = self._near(facts) - same
        alike = [place for place in near if _can_be_alike(facts, bits, self._noted.row(place).facts)]
        wanted = set(map(self._noted.digest, (*same, *alike)))
        # Not those that were added since.
        numbers = [number for number, digest in enumerate(self._digests, start=1) if digest in wanted]
        own = [lesson_of(self._file.record(number)) for number in numbers if number not in self._ignored]
        return [*own, *self._read]

    def _near(self, facts: Facts) -> set[int]:
        """The places of all that share a pattern, or where one of the two has none; and perhaps some more."""
        if not facts.patterns:
            return set(range(len(self._noted)))
        near = set(self._noted.all_without_patterns())
        for pattern in facts.patterns:
            near.update(self._noted.mentioning(pattern.encode("utf-8", "surrogatepass")))
        return near


def _can_be_alike(facts: Facts, bits: int, other: Facts) -> bool:
    is_near = not facts.patterns or not other.patterns or not set(facts.patterns).isdisjoint(other.patterns)
    return is_near and can_be_alike(facts.words, bits, other.words, other.signature)


def read(home: str) -> Rivals:
    """Of lessons.json as it is now."""
    return Rivals(lesson_file.read(home), compiled_lessons.rows(home))


def among(known: "Rivals | list[Lesson]", lesson: Lesson) -> list[Lesson]:
    """What a lesson is compared with, of many or of a few."""
    return known.of(lesson) if isinstance(known, Rivals) else known
