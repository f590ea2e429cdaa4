"""How many mistakes reach each stage on the way to a lesson that is heeded."""

from collections.abc import Iterable, Mapping, Sequence

from lessons.candidate import IMPORT, PROTOCOL, StoredCandidate
from lessons.ledger.stats import LessonStats
from lessons.model import Lesson
from lessons.report.document import FunnelStage, Stage
from lessons.store.decisions import Decision, standing

_RECURRING_SESSIONS = 2
_MEANINGS: dict[Stage, str] = {
    "seen": "mistakes found in the history",
    "candidate": "seen in several sessions, or the error names the cause",
    "active": "an active lesson is about it",
    "shown": "its lesson was shown, or stopped a call",
    "heeded": "its lesson was heeded at least once",
}


def lesson_by_mistake(candidates: Iterable[StoredCandidate], decisions: Sequence[Decision]) -> dict[str, str]:
    """Returns the id of the lesson that each mistake became, or was merged into; by fingerprint."""
    decided = {
        each.fingerprint: each.lesson or each.part_of or each.id
        for each in standing(decisions)
        if each.action in ("promoted", "merged")
    }
    found = {}
    for candidate in candidates:
        names = (candidate.fingerprint, *candidate.document.aliases)
        if lesson := next((decided[name] for name in names if name in decided), ""):
            found[candidate.fingerprint] = lesson
    return found


def funnel(
    candidates: Iterable[StoredCandidate],
    lesson_of: Mapping[str, str],
    active: Iterable[Lesson],
    stats: Sequence[LessonStats],
) -> list[FunnelStage]:
    """Counts mistakes per stage; each stage is part of the one before it."""
    able = {lesson.id for lesson in active}
    shown = able & {one.lesson.id for one in stats if one.tally.shown}
    heeded = shown & {one.lesson.id for one in stats if one.tally.prevented}
    counts: dict[Stage, int] = dict.fromkeys(_MEANINGS, 0)
    for candidate in candidates:
        if candidate.kind in (PROTOCOL, IMPORT):
            continue
        lesson = lesson_of.get(candidate.fingerprint, "")
        counts["seen"] += 1
        counts["candidate"] += bool(lesson) or _is_candidate(candidate)
        counts["active"] += lesson in able
        counts["shown"] += lesson in shown
        counts["heeded"] += lesson in heeded
    return [FunnelStage(stage, counts[stage], meaning) for stage, meaning in _MEANINGS.items()]


def _is_candidate(candidate: StoredCandidate) -> bool:
    sessions = {each.session_id for each in candidate.evidence}
    return len(sessions) >= _RECURRING_SESSIONS or candidate.document.cause_named
