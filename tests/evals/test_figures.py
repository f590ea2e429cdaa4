"""The figures, counted by hand; first what must not count."""

import msgspec

from evals.figures import Figures, figures
from evals.mined import Found
from tests.evals.labelled import found, labels
from tests.tables import table

NOTHING = Figures(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@table("queue", [[], [found("a1", tier=1)], [found("a1", tier=3)]])
def test_only_what_comes_from_failures_counts(queue: list[Found]) -> None:
    assert figures(queue, labels()) == NOTHING


def test_the_agents_own_rules_are_neutral() -> None:
    assert figures([found("p1")], labels()) == msgspec.structs.replace(NOTHING, candidates=1)
    with_them = figures([found("a1", "p1")], labels())
    assert with_them == figures([found("a1")], labels())


def test_a_call_without_a_label_did_not_fail() -> None:
    assert figures([found("unheard-of")], labels()) == msgspec.structs.replace(NOTHING, candidates=1)


@table(
    ("calls", "is_right"),
    [(["n1"], 0), (["m1"], 0), (["a1", "n1"], 0), (["a1", "m1"], 1), (["a1", "a2", "n1"], 1), (["a1", "a1", "n1"], 0)],
)
def test_a_candidate_is_right_where_most_of_what_it_rests_on_is(calls: list[str], is_right: float) -> None:
    assert figures([found(*calls)], labels()).candidate_precision == is_right


def test_all_figures() -> None:
    queue = [found("a1"), found("a2", "b1"), found("m1"), found("n1"), found("p1")]
    assert figures(queue, labels()) == Figures(
        candidates=5,
        candidate_precision=0.5,  # two of the four that are judged
        precision_at_20=0.5,
        call_precision=0.7,  # three and a half of five calls
        call_recall=0.75,  # c1 is missing
        macro_recall=0.667,
        key_recall=0.667,
        repeats=1.5,  # the mistake a is reported twice, b once
    )


def test_half_a_mistake_is_half_found() -> None:
    at = figures([found("a1")], labels())
    assert (at.call_recall, at.macro_recall, at.key_recall) == (0.25, 0.167, 0.333)


def test_the_first_twenty() -> None:
    queue = [*(found("n1") for _ in range(19)), found("a1"), found("b1"), found("c1")]
    at = figures(queue, labels())
    assert (at.precision_at_20, at.candidate_precision) == (0.05, 0.136)
