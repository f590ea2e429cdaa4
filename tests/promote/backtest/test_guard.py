"""What the history speaks against: no evidence is no licence, and none is needed for a hint."""

from lessons.promote.backtest import Examples, Report, wilson
from lessons.promote.backtest_report import Effect, objections, suggested_effect, too_broad, warnings
from tests.tables import table


def report(right: int, total: int, hits: int | None = None) -> Report:
    """So many of the judged hits were right."""
    fired = total if hits is None else hits
    return Report(fired, 1, 1, right, 0, total - right, 0, total, wilson(right, total), None, 1.0, Examples([], []))


OBJECTIONS: list[tuple[Effect, Report | None, str]] = [
    ("block", None, "block needs at least 5 calls"),
    ("block", report(0, 0), "and has 0"),
    ("block", report(4, 4), "and has 4"),
    ("block", report(5, 5), "it is 1.00 (0.57)"),
    ("block", report(11, 11), "block needs a precision"),
    ("block", report(80, 100), "it is 0.80"),
    ("stopOnce", None, "needs a trigger"),
    ("stopOnce", report(0, 5), "it is 0.00"),
    ("stopOnce", report(59, 100), "it is 0.59"),
    ("block", report(12, 12), ""),
    ("block", report(95, 100), ""),
    ("stopOnce", report(0, 0), ""),
    ("stopOnce", report(0, 4), ""),
    ("stopOnce", report(60, 100), ""),
    ("hint", None, ""),
    ("hint", report(0, 100), ""),
]


@table(("effect", "so_far", "words"), OBJECTIONS)
def test_objections(effect: Effect, so_far: Report | None, words: str) -> None:
    found = objections(effect, so_far)
    assert bool(found) == bool(words)
    assert words in " ".join(found)


def test_warnings() -> None:
    assert warnings("hint", "active", None, ["severity:hang"]) == []
    assert warnings("hint", "shadow", report(1, 2), []) == []
    assert warnings("stopOnce", "active", report(9, 9), ["severity:hang"]) == []
    assert "only 1 other call to test" in warnings("stopOnce", "active", report(1, 1), [])[0]
    assert "severity:hang" in warnings("hint", "active", report(9, 9), ["tool:x", "severity:hang"])[0]
    assert "only 10% of 10 calls" in warnings("hint", "active", report(1, 10), [])[0]


def test_what_hangs_or_destroys_is_better_stopped() -> None:
    assert suggested_effect(["tool:git", "severity:error"]) == "hint"
    assert suggested_effect(["severity:data-loss"]) == "stopOnce"


@table(
    ("hits", "calls", "most", "refused"),
    [(199, 199, 0.05, False), (10, 200, 0.05, False), (0, 1000, 0.0, False), (300, 300, 1.0, False),
     (11, 200, 0.05, True), (1, 1000, 0.0, True)],
)  # fmt: skip
def test_a_trigger_that_fires_all_the_time(hits: int, calls: int, most: float, refused: bool) -> None:
    assert bool(too_broad(report(0, 0, hits), calls, most)) == refused
    assert too_broad(None, calls, most) == []
