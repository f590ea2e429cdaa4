"""Which hints are withheld: never a stop or a block, always the same ones, and about the configured share."""

from lessons.inject.decide import Decision, decide, decide_again, draw, is_held_out
from lessons.match.call import ToolCall
from tests.inject.test_decide import House, Match, block, events, match, stop
from tests.tables import table


def decided(house: House, *matches: Match, error: str | None = None, rate: float = 1.0) -> Decision:
    call = ToolCall("Bash", {"command": "git push"}, session="s1", error=error)
    return decide(call, list(matches), house, 4096, 3, rate)


@table(
    ("one", "error", "expected"),
    [
        (block("a"), None, "block"),
        (stop("a"), None, "stop"),
        (stop("a"), "it failed", "hint"),
        (block("a"), "it failed", "hint"),
        (match("a", sessionStart=True), None, "hint"),
        (match("a", stage="shadow"), None, "shadow"),
    ],
)
def test_these_are_never_withheld(one: Match, error: str | None, expected: str) -> None:
    assert events(decided(House(), one, error=error)) == [("a", expected)]


def test_nothing_is_withheld_at_rate_0_or_without_a_session() -> None:
    assert events(decided(House(), match("a"), rate=0.0)) == [("a", "hint")]
    assert not is_held_out("", match("a")[0], 1.0)


def test_a_withheld_hint_says_nothing_and_is_noted_once() -> None:
    house = House()
    decision = decided(house, match("a"))
    assert (decision.kind, decision.text, decision.answer()) == ("none", "", None)
    assert events(decision) == [("a", "held-out")]
    assert house.claimed == [("a", 5)]
    assert events(decided(House(seen="a"), match("a"))) == []
    assert events(decided(House(refused="a"), match("a"))) == []


def test_its_place_goes_to_the_next_lesson() -> None:
    kept = next(f"l{number}" for number in range(50) if draw("s1", f"id-l{number}") >= 0.5)
    gone = next(f"l{number}" for number in range(50) if draw("s1", f"id-l{number}") < 0.5)
    call = ToolCall("Bash", {"command": "git push"}, session="s1")
    decision = decide(call, [match(gone, 9), match(kept, 1)], House(), 4096, 1, 0.5)
    assert sorted(events(decision)) == sorted([(gone, "held-out"), (kept, "hint")])


def test_an_error_that_repeats_does_not_bring_it_either() -> None:
    call = ToolCall("Bash", {"command": "git push"}, session="s1", error="no")
    assert events(decide_again(call, [match("a")], lambda slug: False, 4096, 1.0)) == []
    assert events(decide_again(call, [match("a")], lambda slug: False, 4096)) == [("a", "hint")]


def test_draws_are_even_and_independent_of_each_other() -> None:
    sessions = [f"session-{number}" for number in range(400)]
    lessons = [f"01LESSON{number:04}" for number in range(25)]
    drawn = {(session, lesson): draw(session, lesson) for session in sessions for lesson in lessons}
    for rate in (0.05, 0.2, 0.5):
        assert abs(sum(each < rate for each in drawn.values()) / len(drawn) - rate) < 0.015
    both = sum(drawn[session, lessons[0]] < 0.5 and drawn[session, lessons[1]] < 0.5 for session in sessions)
    assert 70 <= both <= 130
    assert draw("s", "l") == draw("s", "l")
    assert draw("s", "l") != draw("sl", "")
