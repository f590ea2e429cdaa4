"""The line prepares its environment."""

from lessons.capture.signals.preparation import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table


def first(command: str) -> Change:
    return Change("order-of-steps", "", command)


QUIET = [
    Case(failed("python app.py"), ran("python app.py")),
    Case(failed("export A=1; make"), ran("export A=1; make")),
    Case(failed("python app.py"), ran("source .venv/bin/activate && python other.py")),
    Case(failed("python app.py"), ran("cd web && python app.py")),
    Case(failed("make"), ran("export A=1")),
]
FIRES = [
    Case(
        failed("python app.py"), ran("source .venv/bin/activate && python app.py"), first("source .venv/bin/activate")
    ),
    Case(failed("python app.py"), ran(". .venv/bin/activate; python app.py"), first(". .venv/bin/activate")),
    Case(failed("make dist"), ran("export STAGE=test; make dist"), first("export STAGE=test")),
    Case(
        failed("source venv/bin/activate && python app.py"),
        ran("source .venv/bin/activate && python app.py"),
        Change("wrong-arguments", "source venv/bin/activate", "source .venv/bin/activate"),
    ),
    Case(failed("node a.js"), ran("nvm use 22 && node a.js"), first("nvm use 22")),
    Case(failed('ssh web "npm ci"'), ran('ssh web "source ~/.profile && npm ci"'), first("source ~/.profile")),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
