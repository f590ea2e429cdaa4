"""Composes the whole report about a data home."""

from lessons.candidate import CORRECTION, FAILURE, WRITTEN
from lessons.config import Config
from lessons.promote import queue
from lessons.promote.backtest import own_rule
from lessons.promote.joined import lessons_of_candidates
from lessons.promote.matching import failed_hits
from lessons.prove.opportunities import lessons_of
from lessons.prove.stats import sentences, stats_of, summary_of
from lessons.replay.cost import costs_of_repeats
from lessons.replay.cost import together as costs_together
from lessons.replay.replay import Watch, failures_of
from lessons.report.document import Report, Totals
from lessons.report.over_time import catch_rate, weeks
from lessons.report.tables import (
    activations,
    coverage,
    effect_rows,
    funnel,
    hook_health,
    lesson_rows,
    pooled_row,
    unsolved,
)
from lessons.store.history.history import History


def compose(
    history: History, settings: Config, *, full: bool = False, watch: Watch = lambda done, total: None
) -> Report:
    """`full` also replays a long history."""
    sessions = history.sessions.spans()
    failed = history.candidates.of_tier(FAILURE)
    candidates = [*failed, *history.candidates.of_tier(WRITTEN), *history.candidates.of_tier(CORRECTION)]
    lesson_of = lessons_of_candidates(history.home, candidates)  # by the fingerprint of a mistake
    failures = failures_of(failed)
    costs = costs_of_repeats(history)
    lessons, stats = lessons_of(history.home), stats_of(history.home)
    active = [lesson for lesson in lessons if lesson.stage == "active"]
    opportunities = [each for one in stats.lessons for each in one.opportunities]
    together = summary_of(history.home, stats)
    covered = coverage(history, len(sessions))
    activated = activations(active, opportunities)
    drawn = weeks((each.start for each in sessions), (each.time for each in costs), opportunities, activated)
    rules = {each.slug: rule for each in lessons if each.stage != "retired" and (rule := own_rule(each))}
    answering = [each for each in lessons if each.slug in rules]
    answered = {hit.past.tool_use_id for hit in failed_hits(history, answering, rules)}
    moments = [*(each.end for each in sessions), *(each.time for each in opportunities), *activated.values()]
    return Report(
        since=min((each.start for each in sessions), default="")[:10],
        until=max(moments, default="")[:10],
        totals=Totals(
            sessions=covered.sessions,
            calls=covered.calls,
            repeats=len(costs),
            active_lessons=len(active),
            shown=stats.totals.shown,
            prevented=stats.totals.prevented,
            wrong=stats.totals.wrong,
        ),
        weeks=drawn,
        cost=costs_together(costs, drawn[0].start if drawn else ""),
        effects=effect_rows(stats.lessons),
        pooled=pooled_row(stats.lessons, together),
        together=sentences(together, is_withholding=False),
        funnel=funnel(candidates, lesson_of, active, stats.lessons),
        other_lessons=len({lesson.id for lesson in active} - set(lesson_of.values())),
        unsolved=unsolved(queue.whole(history, settings), lessons, opportunities, answered),
        lessons=lesson_rows(stats.lessons),
        catch_rate=catch_rate(history, settings, failures, covered.calls, full, watch),
        hook=hook_health(history.home),
        coverage=covered,
    )
