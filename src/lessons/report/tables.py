"""The tables of the report: what each lesson did and changed, how far each mistake came, which ones still recur.

Also how much is in the history, when the hooks last ran, and what went wrong in them.
"""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from lessons.agents import hook_event
from lessons.candidate import IMPORT, StoredCandidate
from lessons.model import Lesson
from lessons.opportunity import Opportunity
from lessons.plain import without_hidden
from lessons.promote.candidate import Candidate, saving_of
from lessons.promote.queue import is_recurring
from lessons.prove.effect import Difference, calls_after, calls_before
from lessons.prove.stats import LessonStats, Summary
from lessons.report.document import Coverage, EffectRow, FunnelStage, HookHealth, LessonRow, Stage, Unsolved
from lessons.store import exports, fired, logs
from lessons.store.history.history import History

_LONGEST_TEXT = 200


def one_line(text: str, longest: int = _LONGEST_TEXT) -> str:
    """Removes control and invisible characters, and cuts long text."""
    line = " ".join(without_hidden(text[: 8 * longest]).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


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


_POOLED = "all lessons"


def effect_rows(lessons: Sequence[LessonStats]) -> list[EffectRow]:
    """Returns rows with the most certain improvement first, incomparable ones last."""
    rows = [
        EffectRow(
            *(one_line(one.slug), one_line(one.lesson.summary), *one.effect.before, *one.effect.after),
            *(*_rounded(one.effect.difference), one.effect.verdict, one.effect.more_sessions),
        )
        for one in lessons
    ]
    return sorted(rows, key=lambda row: (row.high is None, row.high or 0.0, row.slug))


def pooled_row(lessons: Sequence[LessonStats], together: Summary) -> EffectRow | None:
    """Returns the mean over the lessons, weighted by their calls; None if fewer than two are comparable."""
    mean = together.pooled.mean
    if mean is None:
        return None
    strata = [stratum for one in lessons for stratum in one.effect.strata]
    before, after = calls_before(strata), calls_after(strata)
    verdict = "helps" if mean.high < 0 else "harms" if mean.low > 0 else "no effect shown"
    return EffectRow(_POOLED, "", *before, *after, *_rounded(mean), verdict, 0)


def _rounded(found: Difference | None) -> tuple[float | None, float | None, float | None]:
    """Returns the middle, and the ends of the range."""
    if found is None:
        return None, None, None
    return round(found.middle, 4), round(found.low, 4), round(found.high, 4)


def activations(active: Iterable[Lesson], opportunities: Iterable[Opportunity]) -> dict[str, str]:
    """Returns times by slug. A lesson that was in shadow first was activated by its first showing at the latest."""
    first_shown: dict[str, str] = {}
    first_shadow: dict[str, str] = {}
    for each in opportunities:
        found = first_shown if each.is_active else first_shadow if each.decision == "shadow" else None
        if found is not None:
            found[each.lesson] = min(each.time, found.get(each.lesson, each.time))
    moments = {}
    for lesson in active:
        shown = first_shown.get(lesson.id, "")
        was_in_shadow = lesson.id in first_shadow and first_shadow[lesson.id] < shown
        moments[lesson.slug] = shown if was_in_shadow else lesson.created_at
    return {slug: moment for slug, moment in moments.items() if moment}


_RECURRING_SESSIONS = 2
_MEANINGS: dict[Stage, str] = {
    "seen": "mistakes found in the history",
    "candidate": "seen in several sessions",
    "active": "an active lesson is about it",
    "shown": "its lesson was shown, or stopped a call",
    "heeded": "its lesson was heeded at least once",
}


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
        if candidate.kind == IMPORT:
            continue
        lesson = lesson_of.get(candidate.fingerprint, "")
        counts["seen"] += 1
        sessions = {each.session_id for each in candidate.evidence}
        counts["candidate"] += bool(lesson) or len(sessions) >= _RECURRING_SESSIONS
        counts["active"] += lesson in able
        counts["shown"] += lesson in shown
        counts["heeded"] += lesson in heeded
    return [FunnelStage(stage, counts[stage], meaning) for stage, meaning in _MEANINGS.items()]


_MOST_CANDIDATES = 10
_MOST_LESSONS = 5
_FEWEST_FAILURES = 2
_IN_SPITE = frozenset(("ignoredFailed", "stoppedRepeated", "missed"))
_WAITING = "no lesson yet"


def unsolved(
    waiting: Sequence[Candidate],
    lessons: Sequence[Lesson],
    opportunities: Iterable[Opportunity],
    answered: Container[object],
) -> list[Unsolved]:
    """Returns mistakes without a lesson, most costly first; then those that their lesson does not prevent.

    `answered` are the failed calls on which a lesson fires: a mistake all of whose calls are has its lesson.
    """
    open_calls = {each.fingerprint: [one.tool_use_id not in answered for one in each.evidence] for each in waiting}
    recurring = [each for each in waiting if is_recurring(each) and any(open_calls[each.fingerprint])]
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
    return [
        *(_of_candidate(each, open_calls[each.fingerprint]) for each in recurring[:_MOST_CANDIDATES]),
        *rows[:_MOST_LESSONS],
    ]


def _of_candidate(candidate: Candidate, open_calls: Sequence[bool]) -> Unsolved:
    caught = len(open_calls) - sum(open_calls)
    return Unsolved(
        summary=one_line(candidate.summary),
        state=f"a lesson fires at {caught:,} of {len(open_calls):,} calls" if caught else _WAITING,
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


_MOST_FAULTS = 5
_EVENTS = (
    *(hook_event.BEFORE_CALL, hook_event.AFTER_CALL, hook_event.AFTER_FAILURE, hook_event.SESSION_START),
    *(hook_event.SUBAGENT_START, hook_event.BEFORE_COMPACTION, hook_event.TURN_END, hook_event.SESSION_END),
)


def hook_health(home: str) -> HookHealth:
    moments = {event: fired.last(home, event) for event in _EVENTS}
    lines = logs.read_faults(home)
    return HookHealth(
        last_run={event: minute_of(moment) for event, moment in moments.items() if moment is not None},
        faults=len(lines),
        newest_faults=[one_line(line) for line in lines[: -_MOST_FAULTS - 1 : -1]],
    )


def minute_of(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def coverage(history: History, sessions: int) -> Coverage:
    outcomes: Counter[str] = Counter()
    agents: Counter[str] = Counter()
    for agent, outcome, number in history.calls.tally():
        outcomes[outcome] += number
        agents[agent] += number
    records, malformed = history.sources.records()
    last = exports.last_scan(history.home)
    return Coverage(
        files=history.sources.count(),
        records=records,
        malformed=malformed,
        damaged_parts=history.sources.damaged_parts()[0],
        given_up=sum(each.state == "dead" for each in history.progress.failed_segments()),
        sessions=sessions,
        calls=outcomes.total(),
        outcomes=dict(sorted(outcomes.items())),
        agents=dict(sorted(agents.items())),
        last_scan=minute_of(last) if last else "",
    )
