"""Composes the whole report about a data home."""

from collections.abc import Mapping
from typing import NamedTuple

from lessons.candidate import CORRECTION, FAILURE, WRITTEN, StoredCandidate
from lessons.config import Config
from lessons.ledger.stats import Stats, stats_of, summary_of
from lessons.ledger.update import lessons_of
from lessons.model import Lesson
from lessons.opportunity import Opportunity
from lessons.promote import queue
from lessons.promote.joined import lessons_of_candidates
from lessons.replay.replay import Failure, Watch, failures_of, repeats_in
from lessons.report.document import Coverage, Latency, Report, Totals
from lessons.report.health import coverage, hook_health
from lessons.report.over_time import catch_rate, weeks
from lessons.report.tables import (
    activations,
    effect_rows,
    funnel,
    lesson_rows,
    pooled_row,
    saved,
    unsolved,
    withheld,
)
from lessons.store.history.history import History
from lessons.store.history.sessions import SessionSpan


class _Facts(NamedTuple):
    """Data read once and needed by several parts."""

    sessions: list[SessionSpan]
    candidates: list[StoredCandidate]
    lessons: list[Lesson]
    stats: Stats
    lesson_of: Mapping[str, str]  # the lesson that each mistake became, by fingerprint
    failures: list[Failure]
    repeats: list[str]  # when each was made

    @property
    def active(self) -> list[Lesson]:
        return [lesson for lesson in self.lessons if lesson.stage == "active"]

    @property
    def opportunities(self) -> list[Opportunity]:
        return [each for one in self.stats.lessons for each in one.opportunities]


def compose(
    history: History,
    settings: Config,
    *,
    full: bool = False,
    latency: Latency | None = None,
    watch: Watch = lambda done, total: None,
) -> Report:
    """`full` also replays a long history."""
    facts = _facts(history)
    opportunities, active = facts.opportunities, facts.active
    together = summary_of(history.home, facts.stats)
    covered = coverage(history, len(facts.sessions))
    activated = activations(active, opportunities)
    moments = [*(each.end for each in facts.sessions), *(each.time for each in opportunities), *activated.values()]
    return Report(
        since=min((each.start for each in facts.sessions), default="")[:10],
        until=max(moments, default="")[:10],
        totals=_totals(facts, covered),
        weeks=weeks((each.start for each in facts.sessions), facts.repeats, opportunities, activated),
        effects=effect_rows(facts.stats.lessons),
        pooled=pooled_row(facts.stats.lessons, together),
        saved=saved(together),
        withheld=withheld(together),
        funnel=funnel(facts.candidates, facts.lesson_of, active, facts.stats.lessons),
        other_lessons=len({lesson.id for lesson in active} - set(facts.lesson_of.values())),
        unsolved=unsolved(queue.whole(history, settings), facts.lessons, opportunities),
        lessons=lesson_rows(facts.stats.lessons),
        catch_rate=catch_rate(history, settings, facts.failures, covered.calls, full, watch),
        hook=hook_health(history.home, latency),
        coverage=covered,
    )


def _facts(history: History) -> _Facts:
    sessions = history.sessions.spans()
    failed = history.candidates.of_tier(FAILURE)
    candidates = [*failed, *history.candidates.of_tier(WRITTEN), *history.candidates.of_tier(CORRECTION)]
    failures = failures_of(failed)
    times = {failure.tool_use_id: failure.time for failure in failures}
    repeated = repeats_in(failures, {each.session_id: each for each in sessions})
    return _Facts(
        sessions=sessions,
        candidates=candidates,
        lessons=lessons_of(history.home),
        stats=stats_of(history.home),
        lesson_of=lessons_of_candidates(history.home, candidates),
        failures=failures,
        repeats=[times[each.tool_use_id] for found in repeated.values() for each in found],
    )


def _totals(facts: _Facts, covered: Coverage) -> Totals:
    return Totals(
        sessions=covered.sessions,
        calls=covered.calls,
        repeats=len(facts.repeats),
        active_lessons=len(facts.active),
        shown=facts.stats.totals.shown,
        prevented=facts.stats.totals.prevented,
        wrong=facts.stats.totals.wrong,
    )
