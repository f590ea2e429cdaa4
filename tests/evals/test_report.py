"""The report: the same lines for the same candidates, with the ids of what went wrong."""

from evals import report
from evals.corrections import Corrections
from evals.triggers import Trial
from tests.evals.labelled import found, labels

RIGHT = found("a1", "a2", index=1, proposed_trigger={"toolNames": ["Bash"], "commandPatterns": ["^make x"]})
WRONG = found("n1", "x9", "p1", index=2, kind="quoting", problem="a\nb " * 99, solution="s", no_trigger="no way")
QUEUE = [RIGHT, WRONG]


def test_mistakes_with_what_was_missed() -> None:
    lines = [line.split() for line in report.by_mistake(QUEUE, labels())][1:]
    assert lines == [["0", "of", "1", "b", "b1"], ["0", "of", "1", "c", "c1"], ["2", "of", "2", "a"]]


def test_false_candidates_with_what_they_rest_on() -> None:
    first, solution, *calls = list(report.false_ones(QUEUE, labels()))[1:]
    assert first.startswith("   2  quoting: a b a b")
    assert len(first) < 180
    assert solution == "      → s"
    assert [call.strip() for call in calls] == ["n1 noise", "x9 did not fail"]


def test_triggers_and_corrections() -> None:
    trials = [Trial(RIGHT, 2, 2, 0, 9), Trial(RIGHT, 1, 2, 0, 9)]
    lines = list(report.about_triggers(trials, QUEUE))[1:]
    assert lines[0].split() == ["1", "2", "of", "2", "0", "of", "9", "commandPatterns=['^make", "x']"]
    assert lines[1].split()[0] == "!"
    assert lines[2] == "  none for 1: no way"
    said = list(report.about_corrections(Corrections(1, {"other": 2}, 0.0, 0.0)))
    assert said == ["What people typed: 1 candidates rest on 2 other"]
