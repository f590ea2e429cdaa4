"""The same characters, quoted or escaped differently."""

from lessons.capture.signals.quoting import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table


def written(before: str, after: str) -> Change:
    return Change("quoting", before, after)


QUIET = [
    Case(failed("ls *.md"), ran("ls *.md")),
    Case(failed("ls  *.md"), ran("ls *.md")),  # only white space
    Case(failed("ls *.md"), ran("ls '*.txt'")),  # another thing, and no error about quotes
    Case(failed("jq '.a' x.json", "syntax error"), ran("jq '.b' x.json"), kind="quoting"),  # quoted as before
    Case(failed("lamp a b", "lamp: no such room"), ran("lamp a; b")),  # no error about the syntax
    Case(failed("lamp a b", "parse error"), ran("bash -c 'lamp a c'"), kind="quoting"),  # another line
    Case(failed('rg "a', 'unmatched "'), ran("ls 'src'"), kind="quoting"),  # other work
    Case(failed("lamp a {}", "parse error"), ran("lamp a {} \\;"), kind="quoting"),  # no word became another
]
FIRES = [
    Case(failed("gh api repos/a?ref=b"), ran("gh api 'repos/a?ref=b'"), written("repos/a?ref=b", "'repos/a?ref=b'")),
    Case(
        failed("for x in a b do lamp $x; done", 'Syntax error: "do" unexpected'),
        ran("for x in a b; do lamp $x; done"),
        written("b do", "b; do"),
        "quoting",
    ),
    Case(
        failed("for x in a; do lamp $x; done", "fish: Unknown command: do"),
        ran("bash -c 'for x in a; do lamp $x; done'"),
        Change("wrong-command", "", "bash -c"),
        "quoting",
    ),
    Case(failed("rm a\\ b"), ran("rm 'a b'"), written("a\\ b", "'a b'")),
    Case(failed('echo "$A" | jq .'), ran("echo '$A' | jq ."), written('"$A"', "'$A'")),
    Case(failed("ls web/[id]/a.ts"), ran('ls "web/[id]/a.ts"'), written("web/[id]/a.ts", '"web/[id]/a.ts"')),
    Case(
        failed('rg -n "see `make`|see `all`" src docs', 'unmatched "'),
        ran("rg -n 'see `make`|see all' src docs"),
        written('"see `make`|see `all`"', "'see `make`|see all'"),
        "quoting",
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
