"""Single parts of the report: what they leave out, and their edge cases."""

from typing import Any

from msgspec.structs import replace

from lessons.model import Lesson, lesson_from_document
from lessons.opportunity import Opportunity
from lessons.replay.report import CaughtAt as Moment
from lessons.replay.report import Outcome, Repeat, Replayed
from lessons.report.over_time import MOST_WEEKS, monday, over_time, weeks
from lessons.report.sentences import span, weekly
from lessons.report.tables import activations
from lessons.store.history.past_calls import SessionCall
from tests.builders.lessons import lesson
from tests.builders.reports import EMPTY, full
from tests.tables import table


def chance(time: str, **changes: Any) -> Opportunity:
    given: dict[str, Any] = {
        "lesson": "id-stash", "slug": "stash", "time": time, "session": "s", "agent": "claude-code", "model": "m",
        "project": "", "tool_use_id": time, "decision": "hint", "outcome": "heeded", "failed": True, "is_active": True,
    }  # fmt: skip
    return Opportunity(**{**given, **changes})


def record(created: str = "2026-01-05T00:00:00Z") -> Lesson:
    return lesson_from_document(lesson("stash", createdAt=created))


@table(
    ("moment", "day"),
    [("", ""), ("soon", ""), ("2026-13-01", ""), ("2026-02-01T23:59:59Z", "2026-01-26"), ("2026-02-02", "2026-02-02")],
)
def test_the_monday_of_a_moment(moment: str, day: str) -> None:
    assert monday(moment) == day


def test_weeks_without_anything_are_there_and_old_ones_are_left_out() -> None:
    assert weeks([], [], [], {}) == []
    assert weeks(["never"], [""], [], {}) == []
    found = weeks(["2026-01-05T10:00:00Z"], ["2026-01-20T10:00:00Z"], [], {"stash": "2026-01-07T00:00:00Z"})
    assert [(week.start, week.sessions, week.repeats, week.activated) for week in found] == [
        ("2026-01-05", 1, 0, ["stash"]), ("2026-01-12", 0, 0, []), ("2026-01-19", 0, 1, []),
    ]  # fmt: skip
    long = weeks(["2020-01-01", "2026-01-05"], [], [chance("2026-01-06T00:00:00Z")], {})
    assert len(long) == MOST_WEEKS and (long[-1].start, long[-1].prevented) == ("2026-01-05", 1)


def test_a_lesson_was_activated_when_it_was_made_or_after_its_shadow() -> None:
    shown, before = chance("2026-03-02T00:00:00Z"), chance("2026-02-01T00:00:00Z", decision="shadow", is_active=False)
    none = chance("2026-01-01T00:00:00Z", decision="none", is_active=False)
    assert activations([record()], []) == {"stash": "2026-01-05T00:00:00Z"}
    assert activations([record()], [none, shown]) == {"stash": "2026-01-05T00:00:00Z"}
    assert activations([record()], [shown, before]) == {"stash": "2026-03-02T00:00:00Z"}
    assert activations([record("")], []) == {}


def outcome(time: str, moment: Moment) -> Outcome:
    call = SessionCall("id", "", "Bash", "", "", "", "", "", "", "", "failed", 0, 1, time, "s1")
    return Outcome(Repeat("id", "mistake", True), call, moment)


def test_the_walk_is_shown_by_week_and_a_long_one_by_month() -> None:
    nothing = over_time([])
    assert (nothing.periods, nothing.repeats, nothing.unit) == ([], 0, "week")
    found = over_time([Replayed([outcome("2026-01-06", "call"), outcome("2026-01-07", "missed")], 10, {"c1": []}, 3)])
    assert (found.unit, found.repeats, found.caught, found.good_calls, found.false_alarms) == ("week", 2, 1, 10, 1)
    assert [(each.start, each.at_call, each.missed) for each in found.periods] == [("2026-01-05", 1, 1)]
    long = over_time([Replayed([outcome("2025-01-06", "start"), outcome("2026-01-07", "error")])])
    assert [(each.start, each.at_start, each.at_error) for each in long.periods] == [
        ("2025-01", 1, 0),
        ("2026-01", 0, 1),
    ]


def test_the_figures_at_the_top_cover_the_weeks_that_are_drawn() -> None:
    report = full()
    assert span(EMPTY) == span(report) == "In all"
    assert span(replace(report, since="2024-01-02")) == "The last 3 weeks, since 2026-02-02"


def test_the_line_of_the_last_week() -> None:
    before, last = full().weeks[-2:]
    assert weekly([]) == ""
    assert weekly([last]) == "Week of 2026-02-16: 0 repeats made, 3 prevented, 1 false alarm."
    assert weekly([before, last]).endswith(
        "1 false alarm; the week before 2 repeats made, 1 prevented, 0 false alarms."
    )
