"""The figures of a replay: in total and per mistake, and their names."""

import msgspec

from lessons.replay.report import CaughtAt as Moment
from lessons.replay.report import LessonName, Outcome, Repeat, Replayed, ReplayReport, Why, headline, report_of
from lessons.store.history.past_calls import SessionCall
from tests.tables import table

CONTRACT = (
    "repeats caughtAtCall notedAtStart caughtAtError missed perMistake goodCalls falseAlarms alarmsPerSession unknown"
    " mistakes"
).split()
OF_A_MISTAKE = "fingerprint repeats atCall atStart atError missed why".split()


def outcome(mistake: str, moment: Moment, why: Why = "") -> Outcome:
    call = SessionCall(
        "t1", "", "Edit", "", "", "", "/shop", "", "", "", "failed", 0, 1, "2026-09-01T08:00:00.000Z", "s1"
    )
    return Outcome(Repeat("t1", mistake, True), call, moment, why)


def report(*sessions: Replayed, since: str = "2026-03-04T08:00:00.000Z") -> ReplayReport:
    return report_of(sessions, {"a": "The lamp has no wick"}, since)


WICK, GLASS = LessonName("wick", "a", "The lamp has no wick"), LessonName("glass", "b", "The lamp has no glass")


def alarmed(number: int) -> dict[str, list[LessonName]]:
    return {f"c{each}": [WICK] for each in range(number)}


def test_every_false_alarm_names_its_lessons() -> None:
    found = report(Replayed([], 9, {"c1": [GLASS], "c2": [WICK]}), Replayed([], 9, {"d": [WICK, GLASS], **alarmed(6)}))
    named = [(each.slug, each.fingerprint, each.false_alarms, len(each.examples)) for each in found.false_alarms_by]
    assert (found.false_alarms, named) == (9, [("wick", "a", 8, 5), ("glass", "b", 2, 2)])


def test_the_keys_that_other_programs_rely_on() -> None:
    found = msgspec.to_builtins(report(Replayed([outcome("a", "missed", "scope")], 4, alarmed(1), 2)))
    assert list(found)[: len(CONTRACT)] == CONTRACT
    assert list(found["mistakes"][0])[: len(OF_A_MISTAKE)] == OF_A_MISTAKE
    assert found["perMistake"] == {"caught": 0.0, "atCall": 0.0}
    assert found["missedRepeats"] == [
        {
            "fingerprint": "a",
            "why": "scope",
            "toolUseId": "t1",
            "time": "2026-09-01T08:00:00.000Z",
            "cwd": "/shop",
            "command": "Edit",
        }
    ]


def test_nothing_was_repeated() -> None:
    found = report(since="")
    assert (found.repeats, found.caught, found.per_mistake.caught, found.alarms_per_session) == (0, 0, 0.0, 0.0)
    assert headline(found) == ""


def test_a_mistake_counts_once_however_often_it_was_repeated() -> None:
    often = [outcome("a", "call") for _ in range(8)]
    first = Replayed([*often, outcome("b", "missed", "scope"), outcome("b", "start")], 20, alarmed(2), 12)
    second = Replayed(
        [outcome("c", "error"), outcome("c", "missed", "state unknown"), outcome("b", "missed", "scope")],
        10,
        alarmed(1),
        1,
    )
    found = report(first, second)
    assert (found.repeats, found.caught_at_call, found.noted_at_start, found.caught_at_error, found.missed) == (
        13,
        8,
        1,
        1,
        3,
    )
    assert (found.good_calls, found.false_alarms, found.alarms_per_session, found.sessions) == (30, 3, 6.5, 2)
    assert (found.per_mistake.caught, found.per_mistake.at_call) == (round((1 + 1 / 3 + 1 / 2) / 3, 3), 0.333)
    assert found.unknown == 1
    assert [(each.fingerprint, each.missed, each.why, each.summary) for each in found.mistakes] == [
        ("b", 2, "scope", ""),
        ("c", 1, "state unknown", ""),
        ("a", 0, "", "The lamp has no wick"),
    ]


@table(
    "moments, alarms, since, said",
    [
        (
            ["missed"],
            0,
            "2026-03-04T08:00:00.000Z",
            "March 2026, it would have caught 0 of 1 repeated mistake at the call",
        ),
        (["call"], 1, "", "the start, it would have caught 1 of 1 repeated mistake at the call"),
        (
            ["call"] * 1200,
            0,
            "long ago",
            "the start, it would have caught 1,200 of 1,200 repeated mistakes at the call",
        ),
        (
            ["call", "error", "error", "missed"],
            0,
            "2025-12-31T08:00:00Z",
            "December 2025, it would have caught 1 of 4 repeated mistakes at the call and given advice after the error"
            " of 2 more",
        ),
        (
            ["call", "start", "error"],
            1,
            "2025-12-31T08:00:00Z",
            "December 2025, it would have caught 1 of 3 repeated mistakes at the call, noted 1 more at session start"
            " and given advice after the error of 1 more",
        ),
    ],
)
def test_the_headline(moments: list[Moment], alarms: int, since: str, said: str) -> None:
    outcomes = [outcome("a", moment, "scope" if moment == "missed" else "") for moment in moments]
    alarms_said = "1 false alarm" if alarms == 1 else f"{alarms} false alarms"
    found = headline(report(Replayed(outcomes, 9, alarmed(alarms)), since=since))
    assert found == f"Had `lessons` been on since {said}, with {alarms_said}."
