"""The document: its parts agree with each other and with `lessons stats`, and nothing in it is random."""

import pytest

from lessons import config
from lessons.promote import queue
from lessons.promote.queue import is_recurring
from lessons.prove.stats import stats_of
from lessons.replay.cost import costs_of_repeats, together
from lessons.report import over_time
from lessons.report.compose import compose
from lessons.report.document import Report
from lessons.report.page import page
from lessons.report.sentences import caught
from lessons.report.tables import unsolved
from lessons.store.history.history import History
from tests.builders.months import MONDAY, SESSIONS_A_WEEK, TOPICS, WEEKS, Months

WITH_LESSON = [topic for topic in TOPICS if topic.pattern]


def test_two_runs_give_the_same_bytes(history: History, report: Report) -> None:
    again = compose(history, config.load(history.home, {}))
    assert again == report
    assert page(again) == page(report)


def test_figures_agree_with_the_ledger(months: Months, report: Report) -> None:
    stats = stats_of(months.path)
    assert (report.totals.shown, report.totals.prevented, report.totals.wrong) == (
        stats.totals.shown, stats.totals.prevented, stats.totals.wrong,
    )  # fmt: skip
    assert sum(week.prevented for week in report.weeks) == stats.totals.prevented > 0
    assert sum(week.wrong for week in report.weeks) == stats.totals.wrong > 0
    assert sum(row.shown for row in report.lessons) == stats.totals.shown > 0
    assert {row.slug: row.verdict for row in report.effects} == {one.slug: one.effect.verdict for one in stats.lessons}


def test_weeks_have_every_session_repeat_and_activation(report: Report) -> None:
    assert [week.sessions for week in report.weeks] == [SESSIONS_A_WEEK] * WEEKS
    assert report.weeks[0].start == report.since == f"{MONDAY:%Y-%m-%d}"
    assert sum(week.repeats for week in report.weeks) == report.totals.repeats == report.catch_rate.repeats
    activated = {slug: number for number, week in enumerate(report.weeks) for slug in week.activated}
    due = {topic.slug: topic.week for topic in WITH_LESSON if topic.kind != "shadow"}
    assert activated.keys() == due.keys()
    # A lesson that was in shadow is known to be active once it was shown.
    assert all(due[slug] <= week <= due[slug] + 3 for slug, week in activated.items() if slug != "jq-raw-output")


def test_the_funnel_only_narrows(report: Report) -> None:
    counts = [stage.mistakes for stage in report.funnel]
    assert counts == sorted(counts, reverse=True) and counts[-1] > 0
    assert counts[1] == len(TOPICS) and counts[2] == report.totals.active_lessons == len(WITH_LESSON) - 1


def test_unsolved_are_mistakes_without_a_lesson_and_those_made_in_spite_of_one(report: Report) -> None:
    waiting = [row for row in report.unsolved if row.fingerprint]
    assert len(waiting) == len(TOPICS) - len(WITH_LESSON)
    assert {row.state for row in waiting} == {"no lesson yet"}
    others = {row.slug: row.state for row in report.unsolved if row.slug}
    assert others["cargo-release"] == "lesson in shadow"
    assert others["rg-type-js"] == "made in spite of its lesson"


def test_a_mistake_that_a_lesson_answers_has_its_lesson(history: History) -> None:
    waiting = [each for each in queue.whole(history, config.load(history.home, {})) if is_recurring(each)]
    first, second = waiting[:2]
    answered = {*(each.tool_use_id for each in first.evidence), second.evidence[0].tool_use_id}
    states = {row.fingerprint: row.state for row in unsolved(waiting, [], [], answered)}
    assert first.fingerprint not in states and len(states) == len(waiting) - 1
    assert states.pop(second.fingerprint) == f"a lesson fires at 1 of {len(second.evidence)} calls"
    assert {*states.values()} == {"no lesson yet"}


def test_the_cost_is_that_of_the_weeks_and_of_lessons_cost(history: History, report: Report) -> None:
    assert report.cost == together(costs_of_repeats(history))
    assert report.cost.repeats == sum(week.repeats for week in report.weeks) > 0 < report.cost.tokens


def test_effects_come_with_their_intervals(report: Report) -> None:
    by_slug = {row.slug: row for row in report.effects}
    assert by_slug["python3-not-python"].verdict == "helps"
    assert by_slug["cargo-release"].difference is None and by_slug["cargo-release"].more_sessions > 0
    assert report.pooled is not None and report.pooled.difference is not None and report.pooled.difference < 0
    [compared] = report.together
    assert "lessons compared: -" in compared
    for row in (*report.effects, report.pooled):
        if row.low is not None and row.difference is not None and row.high is not None:
            assert -1 <= row.low <= row.difference <= row.high <= 1


def test_a_long_history_is_walked_through_only_when_asked(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(over_time, "MOST_CALLS", 100)
    settings = config.load(history.home, {})
    short = compose(history, settings)
    assert short.catch_rate.periods == [] and "lessons report --full" in caught(short.catch_rate)
    assert compose(history, settings, full=True).catch_rate.periods != []


def test_coverage_and_hook(report: Report) -> None:
    covered = report.coverage
    assert covered.calls == sum(covered.outcomes.values()) == sum(covered.agents.values()) == report.totals.calls
    assert (covered.files, covered.sessions, covered.malformed) == (WEEKS * SESSIONS_A_WEEK,) * 2 + (0,)
    assert report.hook.faults == 1 and "too slow" in report.hook.newest_faults[0]
    assert report.hook.last_run["PreToolUse"].startswith("2026-06-2")
