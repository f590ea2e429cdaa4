"""The most costly mistakes that still recur, from the queue and the ledger."""

from collections.abc import Iterable, Sequence

from lessons.model import Lesson
from lessons.opportunity import Opportunity
from lessons.promote.queue.candidate import Candidate, saving_of
from lessons.promote.queue.queue import is_recurring
from lessons.report.document import Unsolved
from lessons.report.texts import one_line

_MOST_CANDIDATES = 10
_MOST_LESSONS = 5
_FEWEST_FAILURES = 2
_IN_SPITE = frozenset(("ignoredFailed", "stoppedRepeated", "missed"))
_WAITING = "no lesson yet"


def unsolved(
    waiting: Iterable[Candidate], lessons: Sequence[Lesson], opportunities: Iterable[Opportunity]
) -> list[Unsolved]:
    """Returns mistakes without a lesson, most costly first; then those that their lesson does not prevent."""
    recurring = [each for each in waiting if is_recurring(each) and each.evidence]
    recurring.sort(key=lambda each: (-saving_of(each), each.fingerprint))
    stages = {lesson.id: lesson.stage for lesson in lessons}
    failed: dict[str, list[Opportunity]] = {}
    for each in opportunities:
        in_shadow = stages.get(each.lesson) == "shadow" and each.decision == "shadow" and each.failed
        if each.outcome in _IN_SPITE or in_shadow:
            failed.setdefault(each.lesson, []).append(each)
    rows = [
        _of_lesson(lesson, failed[lesson.id])
        for lesson in lessons
        if lesson.stage != "retired" and len(failed.get(lesson.id, ())) >= _FEWEST_FAILURES
    ]
    rows.sort(key=lambda row: (-row.times, row.slug))
    return [*map(_of_candidate, recurring[:_MOST_CANDIDATES]), *rows[:_MOST_LESSONS]]


def _of_candidate(candidate: Candidate) -> Unsolved:
    return Unsolved(
        summary=one_line(candidate.summary),
        state=_WAITING,
        fingerprint=candidate.fingerprint,
        slug="",
        times=candidate.occurrence_count,
        sessions=candidate.session_count,
        projects=candidate.project_count,
        calls_lost=candidate.calls_lost,
        minutes_lost=candidate.minutes_lost,
        last_seen=candidate.last_seen[:10],
    )


def _of_lesson(lesson: Lesson, failed: list[Opportunity]) -> Unsolved:
    in_shadow = "lesson in shadow"
    return Unsolved(
        summary=one_line(lesson.summary),
        state=in_shadow if lesson.stage == "shadow" else "made in spite of its lesson",
        fingerprint="",
        slug=one_line(lesson.slug),
        times=len(failed),
        sessions=len({each.session for each in failed}),
        projects=len({each.project for each in failed}),
        calls_lost=0,
        minutes_lost=0.0,
        last_seen=max(each.time for each in failed)[:10],
    )
