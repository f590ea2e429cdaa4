"""What each lesson did, one row each."""

from collections.abc import Iterable

from lessons.ledger.stats import LessonStats
from lessons.report.document import LessonRow
from lessons.report.texts import one_line


def lesson_rows(lessons: Iterable[LessonStats]) -> list[LessonRow]:
    """Returns lessons with an opportunity since they were created, in the order of `lessons stats`."""
    return [
        LessonRow(
            slug=one_line(one.slug),
            summary=one_line(one.lesson.summary),
            stage=one.lesson.stage,
            opportunities=one.tally.opportunities,
            shown=one.tally.shown,
            prevented=one.tally.prevented,
            failed=one.tally.ignored_failed + one.tally.stopped_repeated + one.tally.missed,
            wrong=one.tally.wrong,
        )
        for one in lessons
        if one.tally.opportunities or one.tally.missed
    ]
