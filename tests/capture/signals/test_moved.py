"""An option that stands at another place; first what is no move."""

from lessons.capture.signals.moved import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table

UNKNOWN = 'exec: "-p": executable file not found in $PATH'


QUIET = [
    Case(failed("lamp run hall -p 8", "it is dark"), ran("lamp run -p 8 hall")),  # no error about the call
    Case(failed("lamp run hall -p 8", UNKNOWN), ran("lamp run hall -p 8"), kind="wrong-flag"),
    Case(failed("lamp run hall -p 8", UNKNOWN), ran("lamp run -p 8 kitchen"), kind="wrong-flag"),  # another thing
    Case(failed("lamp run hall -p 8", UNKNOWN), ran("lamp run hall -q -p 8"), kind="wrong-flag"),  # not moved
    Case(failed("lamp run hall -p 8", "lamp: it is dark"), ran("lamp run -d -p 8 hall"), kind="wrong-flag"),
    Case(failed("lamp find *.a -d 2", "unquoted pattern"), ran("lamp find -d 2 '*.a'"), kind="quoting"),
    Case(failed("lamp run hall -p 8", UNKNOWN), ran("glow run -p 8 hall"), kind="wrong-flag"),
    Case(failed("lamp copy a b", "no such room: a"), ran("lamp copy b a"), kind="wrong-arguments"),  # no option
    Case(failed("lamp get key -h hall", "wrong number of arguments"), ran("lamp -h hall get key"), kind="wrong-flag"),
    Case(failed("lamp -X on -o out", "option -o: not here"), ran("lamp -o out -X on"), kind="wrong-flag"),  # a value
]
FIRES = [
    Case(
        failed("lamp run hall -p 8", UNKNOWN),
        ran("lamp run -d -p 8 hall"),
        Change("wrong-flag", "hall -p", "-p hall"),
        "missing-tool",
    ),
    Case(
        failed("lamp room up -d --file a.yml", "unknown flag: --file"),
        ran("lamp room --file a.yml up -d"),
        Change("wrong-flag", "up --file", "--file up"),
        "wrong-flag",
    ),
    Case(
        failed("lamp find hall attic -r --only x", "unrecognized option '--only'"),
        ran("lamp find -r --only x hall attic"),
        Change("wrong-flag", "hall --only", "--only hall"),
        "wrong-flag",
    ),
    Case(
        failed("lamp -X on hall -o out", "option -o: not allowed here"),
        ran("lamp -o out -X on hall"),
        Change("wrong-flag", "hall -o", "-o hall"),
        "wrong-flag",
    ),
    Case(
        failed("lamp run -it hall -p 8", UNKNOWN),
        ran("lamp run -it -p 8 hall"),
        Change("wrong-flag", "hall -p", "-p hall"),
        "missing-tool",
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
