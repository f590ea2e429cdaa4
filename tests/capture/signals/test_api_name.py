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
    Case(
        failed("python -c 'import lamp; lamp.lux(1)'", NO_LUX), ran("cd /tmp && python -c 'import lamp; lamp.lux(1)'")
    ),
    Case(failed("python -c 'dim(wide=3)'", NO_WIDE), ran("python -c 'dim(wide=4)'")),
    # A value of the script, not a library.
    Case(
        failed("node -e 'const a = load(); a.lux(b)'", "TypeError: a.lux is not a function"),
        ran("node -e 'const a = load(); a.b.lux(b)'"),
    ),
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
    # The keyword is left out: no other argument is shown.
    Case(
        failed('python -c \'import lamp; lamp.dim("bob", "tiger", wide=True)\'', NO_WIDE),
        ran('python -c \'import lamp; lamp.dim("bob", "tiger")\''),
        arguments("wide=True", ""),
    ),
    Case(
        failed("python -c 'lamp.dim(wide=max(1, 2), a=3)'", NO_WIDE),
        ran("python -c 'lamp.dim(a=3)'"),
        arguments("wide=max(1, 2)", ""),
    ),
    # Another function keeps the same keyword.
    Case(
        failed("python -c 'lamp.glow(a, wide=1); lamp.dim(b, wide=1)'", NO_WIDE),
        ran("python -c 'lamp.glow(a, wide=1); lamp.dim(b)'"),
        arguments("wide=1", ""),
    ),
    # Texts and ids are of one call.
    Case(
        failed("python -c 'a = lamp.lux(\"bob; tiger\", 20260131)'", NO_LUX),
        ran("python -c 'a = lamp.dim(20260131, b, \"bob; tiger\")'"),
        arguments('a = lamp.lux("…", …)', 'a = lamp.dim(…, b, "…")'),
    ),
    # The rest of the statement changed too: both are shown whole.
    Case(
        failed("node -e 'const a = process.lux(b); done()'", "TypeError: process.lux is not a function"),
        ran("node -e 'const a = process[b]; done()'"),
        arguments("const a = process.lux(b)", "const a = process[b]"),
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
