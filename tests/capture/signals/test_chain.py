"""A command of the line was dropped, replaced, or added before the others."""

from lessons.capture.signals.chain import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table


def exchanged(before: str, after: str) -> Change:
    return Change("wrong-command", before, after)


GONE = "rm: a.lock: No such file or directory"
QUIET = [
    Case(failed("make"), ran("make")),
    Case(failed("make"), ran("git pull")),
    Case(failed("git pull && make"), ran("git pull && make")),
    Case(failed("make"), ran("ls && make")),  # looking does not help
    Case(failed("make && ls"), ran("make")),  # what was blamed is still there
    Case(failed("git add a.py && npm test", "npm error Test failed"), ran("git add a.py && git commit -m x")),
    Case(failed("git pull && make all"), ran("git pull && git log -3")),  # other work behind the same beginning
    Case(failed("make dist | tee log"), ran("make dist | tail -5")),
]
FIRES = [
    Case(failed("rm a.lock && git pull", GONE), ran("git pull"), exchanged("rm a.lock", "")),
    Case(failed("rm a.lock && git switch main && git pull", GONE), ran("git switch main"), exchanged("rm a.lock", "")),
    Case(
        failed("git stash pop"),
        ran("git checkout a.py && git stash pop"),
        Change("order-of-steps", "", "git checkout a.py"),
    ),
    Case(failed("shop up"), ran("npx prisma generate && shop up"), Change("order-of-steps", "", "npx prisma generate")),
    Case(
        failed("npm test"),
        ran("npm ci && ls && npm run seed && npm test"),
        Change("order-of-steps", "", "npm ci && npm run seed"),
    ),
    Case(
        failed("npm test"),
        ran("git pull && npm ci && npm run build && npm test"),
        Change("order-of-steps", "", "… && npm ci && npm run build"),
    ),
    Case(failed("npm test"), ran("npm ci && npm test"), Change("order-of-steps", "", "npm ci")),
    Case(
        failed("sed -n 3p a.py | cat -A", "cat: illegal option -- A"),
        ran("sed -n 3p a.py | od -c"),
        exchanged("cat -A", "od -c"),
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
