"""Totals: only numbers are stored, and the next run is compared with them."""

from pathlib import Path

from evals.corrections import Corrections
from evals.figures import figures
from evals.totals import compared, keep, kept, totals_of
from evals.triggers import Trial
from lessons.replay.report import report_of
from tests.evals.labelled import found, labels

NOTHING = {name: report_of([], {}, "") for name in ("mined", "labelled")}


def test_without_a_run_that_was_kept(tmp_path: Path) -> None:
    assert kept(tmp_path / "totals.json") == {}
    assert list(compared({"candidates": 3}, {}))[1:] == ["candidates                   3"]


def test_kept_and_compared(tmp_path: Path) -> None:
    candidate = found("a1")
    tried = [Trial(candidate, 9, 10, 5, 100), Trial(candidate, 8, 10, 0, 100), Trial(candidate, 1, 1, 1, 0)]
    totals = totals_of(figures([candidate], labels()), Corrections(2, {"other": 2}, 0.5, 0.1), tried, NOTHING)
    assert (totals["triggers"], totals["triggers that do"], totals["mined caught"]) == (3, 1, 0.0)
    file = tmp_path / "totals.json"
    keep(totals, file)
    assert kept(file) == totals
    lines = list(compared({**totals, "call recall": 0.3}, kept(file)))
    assert "call recall                0.3    0.25  +0.05" in lines
    assert "corrections                  2       2" in lines


def test_what_is_kept_in_the_project_is_numbers() -> None:
    assert all(isinstance(value, int | float) for value in kept().values())
    if kept():
        assert kept().keys() == totals_of(figures([], {}), Corrections(0, {}, 0.0, 0.0), [], NOTHING).keys()
