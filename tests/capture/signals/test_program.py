"""Another program with the same words after it."""

from lessons.capture.signals.program import change
from lessons.episode import Change, Step
from tests.builders.steps import Case, failed, ran
from tests.tables import table


def exchanged(before: str, after: str) -> Change:
    return Change("wrong-command", before, after)


def missing(before: str, after: str) -> Change:
    return Change("missing-tool", before, after)


def not_there(command: str) -> Step:
    return failed(command, f"zsh: command not found: {command.split()[0]}", code=127)


QUIET = [
    Case(failed("python app.py"), ran("python app.py")),
    Case(failed("python app.py"), ran("python other.py")),  # the same program
    Case(failed("npm test"), ran("git status")),  # another piece of work
    Case(failed("npm test"), ran("ls tests")),
    Case(failed("make"), ran("ls")),  # nothing that they share
    Case(failed("cat notes.md"), ran("rm -rf dist build")),
    Case(not_there("docker compose up"), ran("which podman"), kind="missing-tool"),
    Case(not_there("timeout 5 make"), ran("gtimeout 5 make"), kind="missing-tool"),  # a wrapper
    Case(not_there("redis-cli ping"), ran("brew install redis"), kind="missing-tool"),
]
FIRES = [
    Case(failed("python app.py"), ran("python3 app.py"), exchanged("python", "python3")),
    Case(failed("python"), ran("python3"), exchanged("python", "python3")),
    Case(failed("npm install left-pad"), ran("pnpm install left-pad"), exchanged("npm", "pnpm")),
    Case(not_there("python app.py"), ran("python3 app.py"), missing("python", "python3"), "missing-tool"),
    Case(
        not_there("docker-compose up -d"),
        ran("docker compose up -d"),
        missing("docker-compose", "docker compose"),
        "missing-tool",
    ),
    Case(not_there("rg needle src"), ran("grep -rn needle src"), missing("rg", "grep -rn"), "missing-tool"),
    Case(
        not_there("jq . a.json"),
        ran("python3 -m json.tool a.json"),
        missing("jq .", "python3 -m json.tool"),
        "missing-tool",
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
