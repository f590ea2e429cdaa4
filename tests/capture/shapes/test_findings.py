"""Reports on code under development are normal work, not mistakes of the call."""

from lessons.capture.shapes.judgement import judge
from lessons.episode import Step
from tests.capture.shapes.finding_cases import NOT_FINDINGS, PYTHON, SCRIPT
from tests.capture.shapes.finding_compiled_cases import COMPILED
from tests.capture.shapes.finding_more_cases import MORE
from tests.capture.shapes.tables import failures
from tests.tables import table


@table("step", failures(NOT_FINDINGS))
def test_says_nothing_about_code(step: Step) -> None:
    assert judge(step).shape != "finding"


@table("step", failures(PYTHON + SCRIPT + COMPILED + MORE))
def test_reports_on_code(step: Step) -> None:
    assert judge(step).shape == "finding"
