"""Plots: for any figures a drawing that can be parsed and stays inside its frame."""

from datetime import date
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as some

from lessons.report.document import CatchPeriod, CatchRate, EffectRow, Week
from lessons.report.plots import (
    MOST_ROWS,
    WIDTH,
    Part,
    catch_plot,
    drawn,
    forest_plot,
    share_bar,
    thinned,
    ticks,
    weeks_plot,
)
from tests.builders.reports import effect_row
from tests.sizes import examples
from tests.tables import table

COUNT = some.integers(0, 100_000)
WORDS = some.text(max_size=60).map(lambda text: "".join(sign for sign in text if sign.isprintable()))
WEEK = some.builds(
    Week,
    start=some.dates(min_value=date(2020, 1, 1)).map(str),
    repeats=COUNT,
    prevented=COUNT,
    activated=some.lists(WORDS, max_size=3),
)
SHARE = some.floats(-1, 1).map(lambda share: round(share, 4))
EFFECT = some.builds(
    lambda slug, ends, calls: effect_row(slug, *sorted(ends), before_calls=calls),
    WORDS,
    some.tuples(SHARE, SHARE),
    COUNT,
)
PERIOD = some.builds(
    lambda call, start, error, missed: CatchPeriod("2026-02-02", call + start + error + missed + 1, call, start, error),
    COUNT, COUNT, COUNT, COUNT,
)  # fmt: skip


def assert_inside(drawing: str) -> None:
    """Boxes, dots and lines do not leave the frame."""
    root = ElementTree.fromstring(drawing)
    _, _, across, down = map(float, root.attrib["viewBox"].split())
    assert across == WIDTH and down > 0
    for each in root.iter():
        for name in ("x", "x1", "x2", "cx"):
            assert -0.1 <= float(each.get(name, 0)) <= across + 0.1, ElementTree.tostring(each)
        for name in ("y", "y1", "y2", "cy"):
            assert -0.1 <= float(each.get(name, 0)) <= down + 0.1, ElementTree.tostring(each)
        if each.tag == "rect":
            assert float(each.get("x", 0)) + float(each.get("width", 0)) <= across + 1.1
            assert float(each.get("y", 0)) + float(each.get("height", 0)) <= down + 0.1


@settings(max_examples=examples(100), deadline=None)
@given(some.lists(WEEK, max_size=30))
def test_weeks(weeks: list[Week]) -> None:
    assert_inside(weeks_plot(weeks))


@settings(max_examples=examples(100), deadline=None)
@given(some.lists(EFFECT, max_size=30), some.none() | EFFECT)
def test_forest(rows: list[EffectRow], pooled: EffectRow | None) -> None:
    assert_inside(forest_plot(rows, pooled))
    assert len(drawn(rows)) <= MOST_ROWS


@settings(max_examples=examples(100), deadline=None)
@given(some.lists(PERIOD, max_size=26))
def test_catch_rate(periods: list[CatchPeriod]) -> None:
    assert_inside(catch_plot(CatchRate("week", periods, 1, 0, 0, 0)))


@settings(max_examples=examples(100), deadline=None)
@given(some.lists(COUNT, min_size=1, max_size=5))
def test_shares(counts: list[int]) -> None:
    assert_inside(share_bar([Part("one", number, "good") for number in counts]))


def test_of_too_many_lessons_those_with_the_most_calls_are_drawn() -> None:
    rows = [effect_row(f"lesson-{number}", before_calls=number) for number in range(30)]
    assert [row.slug for row in drawn(rows)] == [f"lesson-{number}" for number in range(10, 30)]
    assert drawn([effect_row("x", None, None)]) == []


@table(
    ("most", "marks"),
    [
        (0, [0, 1]),
        (1, [0, 1]),
        (3, [0, 1, 2, 3]),
        (7, [0, 2, 4, 6, 8]),
        (28, [0, 10, 20, 30]),
        (401, [0, 200, 400, 600]),
    ],
)
def test_marks_of_an_axis(most: float, marks: list[int]) -> None:
    assert ticks(most) == marks


def test_labels_are_not_drawn_over_each_other() -> None:
    assert thinned([0, 10, 20, 30, 40], 20) == [0, 2, 4]
    assert thinned([5], 50) == [0] and thinned([], 50) == []
