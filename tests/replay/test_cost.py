"""Which calls a repeat costs, and how much of tokens, money and time each of them."""

import pytest

from lessons.replay.cost import Cost, RepeatCost, _counted, _lost, in_words, together
from lessons.store.history.episodes import CallUsage
from tests.tables import table

MODEL = "claude-opus-5"
TOKENS = (10, 200, 3000, 40)


def calls(text: str, model: str = MODEL, tokens: tuple[int, int, int, int] | None = TOKENS) -> list[CallUsage]:
    """`b2:10-15`: call b of message 2, from second 10 to 15; without a number no message is named."""
    found = []
    for each in text.split():
        name, _, span = each.partition(":")
        begin, end = (f"2026-09-01T08:{int(s) // 60:02}:{int(s) % 60:02}.000Z" for s in span.split("-"))
        found.append(CallUsage(name[0], "s1", "/shop", "claude-code", model, name[1:], begin, end, tokens))
    return found


@table(
    "made, failed, worked, lost",
    [
        ("a1:0-1", 0, None, "a"),
        ("a1:0-1 b2:2-3", 0, None, "a"),
        ("a1:0-1 b2:2-3", 1, 0, "b"),
        ("a1:0-1 b2:2-3", 0, 1, "a"),
        ("a1:0-1 b2:2-3 c3:4-5", 0, 2, "ab"),
        # Asked for together with the failed call, or with the one that worked.
        ("a1:0-1 b1:0-1 c2:4-5 d3:6-7 e3:6-7", 0, 4, "ac"),
        ("a:0-1 b:2-3 c:4-5", 0, 2, "ab"),
    ],
)
def test_which_calls_are_lost(made: str, failed: int, worked: int | None, lost: str) -> None:
    assert "".join(call.tool_use_id for call in _lost(calls(made), failed, worked)) == lost


@table(
    "made, seconds",
    [
        ("a1:0-0", 0.0),
        ("a1:0-5", 5.0),
        ("a1:0-5 b2:8-9", 8.0),
        ("a1:0-5 b2:65-66", 65.0),
        ("a1:0-5 b2:66-67", 5.0),  # somebody was away
        ("a1:0-900", 600.0),
        ("a1:0-90 b2:20-30", 20.0),  # it went on in the background
        ("a1:0-5 b1:1-9 c2:11-12", 5.5),  # half of its message
        ("a:0-5 b:8-9", 8.0),
    ],
)
def test_time_without_pauses(made: str, seconds: float) -> None:
    around = calls(made)
    assert _counted(around[0], around).seconds == seconds


def test_a_time_that_is_none_counts_nothing() -> None:
    [call] = calls("a1:0-5")
    assert _counted(call, [CallUsage("a", "s1", "/shop", "claude-code", MODEL, "1", "soon", "", TOKENS)]).seconds == 0.0


@table(
    "model, dollars",
    [
        ("", None),
        ("opus", None),
        ("gpt-5", None),
        ("claude-opus-6", None),
        ("claude-opus-5", 0.0068),
        ("claude-opus-5-5", 0.00484),
        ("claude-opus-4-6", 0.0068),
        ("claude-opus-4-20250514", 0.0204),
        ("claude-sonnet-5", 0.00272),
        ("claude-sonnet-4-5-20250929", 0.00408),
        ("claude-haiku-4-5-20251001", 0.00136),
    ],
)
def test_what_a_call_of_a_model_costs(model: str, dollars: float | None) -> None:
    [call] = calls("a1:0-5", model)
    assert _counted(call, [call]).dollars == dollars


def test_calls_of_one_message_share_it_and_a_sum_says_what_is_unknown() -> None:
    around = calls("a1:0-5 b1:0-5") + calls("c2:6-7", tokens=None) + calls("d3:8-9", "claude-opus-6")
    counted = [_counted(call, around) for call in around]
    assert [call.tokens for call in counted] == [1625, 1625, None, 3250]
    assert [call.dollars for call in counted] == [pytest.approx(0.0034), pytest.approx(0.0034), None, None]
    early, late = (
        RepeatCost("stat", some[0].tool_use_id, "s1", "/shop", "claude-code", f"2026-09-0{day}", some)
        for day, some in ((1, counted[:1]), (2, counted[1:]))
    )
    total = together([early, late])
    assert (total.repeats, total.calls, total.tokens) == (2, 4, 6500)
    assert (total.cached_tokens, total.calls_without_tokens, total.calls_without_price) == (6000, 1, 2)
    assert together([early, late], "2026-09-02").repeats == 1
    assert total.share(1).tokens == 3250
    assert total.share(1).dollars == pytest.approx(0.0034)


@table(
    "cost, words",
    [
        (Cost(), ("0", "$0.00", "0 min")),
        (
            Cost(calls=1, calls_without_tokens=1, calls_without_price=1, seconds=20),
            ("unknown", "unknown", "<1 min"),
        ),
        (Cost(calls=2, calls_without_price=1, tokens=950, dollars=0.004, seconds=90), ("950", "<$0.01", "2 min")),
        (Cost(calls=2, tokens=12_340, dollars=1234.5, seconds=90_000), ("12.3 k", "$1,234.50", "25 h")),
        (Cost(calls=2, tokens=12_340_000, seconds=20), ("12.3 M", "$0.00", "<1 min")),
    ],
)
def test_a_cost_in_words(cost: Cost, words: tuple[str, str, str]) -> None:
    assert in_words(cost) == words
