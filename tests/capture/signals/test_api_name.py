"""Another name in the code of the command line: first where the code shows none."""

from lessons.capture.signals.api_name import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table

NO_LUX = "AttributeError: module 'lamp' has no attribute 'lux'"
NO_WIDE = "TypeError: dim() got an unexpected keyword argument 'wide'"


def arguments(before: str, after: str) -> Change:
    return Change("wrong-arguments", before, after)


QUIET = [
    Case(failed("python -c 'lamp.lux(1)'", NO_LUX), ran("python -c 'lamp.lux(2)'")),  # it uses the same name
    Case(failed("python -c 'lamp.lux(1)'", NO_LUX), ran("python lamp.py")),  # no code to compare with
    Case(failed("python -c 'lamp.lux(1)'", NO_LUX), ran("python -c 'print(1); import os; os.walk(2)'")),  # other work
    Case(failed("python lamp.py", NO_LUX), ran("python -c 'lamp.dim(1)'")),
    Case(failed("python -c 'lamp.lux(1)'", "ValueError: lux"), ran("python -c 'lamp.dim(1)'")),
]
FIRES = [
    Case(
        failed("python -c 'import lamp; lamp.lux(1)'", NO_LUX),
        ran("python -c 'import lamp; lamp.dim(1)'"),
        arguments("lamp.lux", "lamp.dim"),
    ),
    Case(
        failed("python3 - <<'E'\nimport lamp\nlamp.dim(a, wide=3)\nprint(1)\nE", NO_WIDE),
        ran("python3 - <<'E'\nimport lamp\nlamp.dim(a, width=3)\nprint(2)\nE"),
        arguments("wide=3", "width=3"),
    ),
    # The rest of the statement changed too: both are shown whole.
    Case(
        failed("node -e 'const a = lamp.lux(b); done()'", "TypeError: lamp.lux is not a function"),
        ran("node -e 'const a = lamp[b]; done()'"),
        arguments("const a = lamp.lux(b)", "const a = lamp[b]"),
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
