"""The command that the error itself names."""

from lessons.capture.signals.advised import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table

ADVICE = "lamp: 'lamp get' is no longer supported.\n\tTo add a bulb, use 'lamp install' with a version."
USAGE = "Usage: lamp get NAME\n   or: lamp install NAME"
QUIET = [
    Case(failed("lamp get bulbs/lux", ADVICE), ran("lamp install bulbs/lux")),  # the call may have been right
    Case(failed("lamp get bulbs/lux", ADVICE), ran("lamp install rooms/dim"), kind="wrong-path"),  # another thing
    Case(failed("lamp get bulbs/lux", ADVICE), ran("lamp list bulbs/lux"), kind="wrong-path"),
    Case(failed("lamp get bulbs/lux", ADVICE), ran("glow install bulbs/lux"), kind="wrong-path"),
    Case(failed("lamp get bulbs/lux", USAGE), ran("lamp install bulbs/lux"), kind="wrong-path"),  # a list of all
    Case(failed("lamp get bulbs/lux", ADVICE), ran("cd a && lamp install bulbs/lux"), kind="wrong-path"),
    Case(failed("lamp get a", ADVICE), ran("lamp install a"), kind="wrong-path"),  # too short to be the same thing
]
FIRES = [
    Case(
        failed("lamp get -u bulbs/lux", ADVICE),
        ran("lamp install bulbs/lux@latest"),
        Change("wrong-command", "lamp get", "lamp install"),
        "wrong-path",
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
