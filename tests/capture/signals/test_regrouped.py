"""The same words, with one more in between or one of them as an option."""

from lessons.capture.signals.regrouped import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table

NO_CHOICE = "ERROR: (lamp.run) Invalid choice: 'list'."
QUIET = [
    Case(failed("lamp run list", "it went wrong"), ran("lamp run rooms list"), kind="wrong-flag"),  # names no word
    Case(failed("lamp run list", NO_CHOICE), ran("lamp run rooms list")),  # the error may be about anything
    Case(failed("lamp run list", NO_CHOICE), ran("lamp run rooms show"), kind="wrong-flag"),
    Case(failed("lamp run list", NO_CHOICE), ran("lamp run a b c list"), kind="wrong-flag"),
    Case(failed("lamp run list", NO_CHOICE), ran("lamp run rooms --all list"), kind="wrong-flag"),
    Case(failed("lamp run list", NO_CHOICE), ran("glow run rooms list"), kind="wrong-flag"),
    Case(failed("lamp run list", NO_CHOICE), ran("cd b && lamp run rooms list"), kind="wrong-flag"),
    Case(failed("lamp run list a", NO_CHOICE), ran("lamp list run a more"), kind="wrong-flag"),  # in another order
    Case(failed("lamp dim a", "Unknown command: dim"), ran("lamp a --bright"), kind="wrong-command"),
    Case(failed("lamp dim a", "Unknown command: a"), ran("lamp a --dim"), kind="wrong-command"),
    Case(failed("lamp list", NO_CHOICE), ran("lamp list"), kind="wrong-flag"),
]
FIRES = [
    Case(
        failed("gcloud run list --region=x", "(gcloud.run) Invalid choice: 'list'."),
        ran("gcloud run services list --region=x"),
        Change("wrong-command", "gcloud run list", "gcloud run services list"),
        "wrong-flag",
    ),
    Case(
        failed("cmake build -j4", 'CMake Error: The source directory "/srv/build" does not appear to contain a list'),
        ran("cmake --build build -j4"),
        Change("wrong-command", "cmake build", "cmake --build build"),
        "wrong-path",
    ),
    Case(
        failed("brew cask install lux", "Error: Unknown command: cask"),
        ran("brew install --cask lux"),
        Change("wrong-command", "brew cask install", "brew install --cask"),
        "wrong-command",
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
