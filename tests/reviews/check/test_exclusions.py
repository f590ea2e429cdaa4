"""Comments that exclude a lesson on a line: first those that do not count."""

import time

from lessons.reviews.check.exclusions import reason_for
from tests.tables import table

NONE = [
    "x = eval(y)",
    "x = eval(y)  # lessons ignore no-eval because tests",
    "x = eval(y)  # lessons: ignore other because tests",
    "x = eval(y)  # lessons: ignore no-eval-at-all because tests",
]
WITHOUT_REASON = [
    "x = eval(y)  # lessons: ignore no-eval",
    "x = eval(y)  # lessons: ignore no-eval because",
    "x = eval(y)  /* lessons: ignore no-eval - */",
]
REASONS = [
    ("x = eval(y)  # lessons: ignore no-eval because the input is ours", "the input is ours"),
    ("x = eval(y)  // lessons: ignore no-eval: the input is ours", "the input is ours"),
    ("x = eval(y)  /* lessons: ignore other, no-eval (the input is ours) */", "the input is ours"),
    ("<!-- lessons: ignore no-eval - the input is ours -->", "the input is ours"),
]


@table("line", NONE)
def test_no_exclusion(line: str) -> None:
    assert reason_for("no-eval", [line], 1) is None


@table("line", WITHOUT_REASON)
def test_an_exclusion_needs_a_reason(line: str) -> None:
    assert reason_for("no-eval", [line], 1) == ""


@table("line, reason", REASONS)
def test_exclusions(line: str, reason: str) -> None:
    assert reason_for("no-eval", [line], 1) == reason


def test_the_line_above_counts_where_it_is_nothing_but_the_comment() -> None:
    comment = "    # lessons: ignore no-eval because the input is ours"
    assert reason_for("no-eval", [comment, "x = eval(y)"], 2) == "the input is ours"
    assert reason_for("no-eval", ["x = 1" + comment, "x = eval(y)"], 2) is None
    assert reason_for("no-eval", [comment, "", "x = eval(y)"], 3) is None


def test_a_long_comment_does_not_take_long() -> None:
    began = time.process_time()
    line = "# lessons: ignore no-eval because it" + " " * 200_000 + "is ours"
    assert reason_for("no-eval", [line], 1)
    assert time.process_time() - began < 2
