"""Another sub-command or script of the same program."""

from lessons.capture.signals.subcommand import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table

MISSING = 'npm error Missing script: "typecheck"'
NO_COMMAND = "error: unrecognized subcommand 'src'"
QUIET = [
    Case(failed("npm test", 'npm error Missing script: "test"'), ran("npm run build:web"), kind="wrong-command"),
    Case(failed("npm run build"), ran("npm run test")),  # nobody says that there is no such script
    Case(failed("npm run typecheck", MISSING), ran("npm run build"), kind="wrong-command"),  # nothing like it
    Case(failed("npm run typecheck", MISSING), ran("npm run typecheck"), kind="wrong-command"),
    Case(failed("npm run typecheck", MISSING), ran("cd web && npm run type-check"), kind="wrong-command"),
    Case(failed("npm run typecheck", MISSING), ran("npm run type-check", cwd="/srv/web"), kind="wrong-command"),
    Case(failed("git swich main", "git: 'swich' is not a git command."), ran("git pull origin"), kind="wrong-command"),
    Case(failed("npm ci", "npm error Missing: left-pad from lock file"), ran("npm install"), kind="wrong-arguments"),
    Case(failed("ruff src", NO_COMMAND), ran("ruff check --fix src"), kind="wrong-command"),  # an option
    Case(failed("ruff src", "error: it went wrong"), ran("ruff check src"), kind="wrong-command"),
    Case(failed("ruff src", NO_COMMAND), ran("ruff check src")),
]
FIRES = [
    Case(
        failed("npm test --grep lux", 'npm error Missing script: "test"'),
        ran("npm run test:unit -- --grep lux"),
        Change("wrong-command", "test", "run test:unit"),
        "wrong-command",
    ),
    Case(
        failed("yarn lint", 'error Command "lint" not found.'),
        ran("yarn workspace web lint"),
        Change("wrong-command", "yarn", "yarn workspace web"),
        "wrong-command",
    ),
    Case(
        failed("npm run typecheck", MISSING),
        ran("npm run type-check"),
        Change("wrong-command", "typecheck", "type-check"),
        "wrong-command",
    ),
    Case(
        failed("git swich main", "git: 'swich' is not a git command."),
        ran("git switch main"),
        Change("wrong-command", "swich", "switch"),
        "wrong-command",
    ),
    Case(
        failed("docker rmall", "docker: unknown command: docker rmall, try docker prune"),
        ran("docker prune"),
        Change("wrong-command", "rmall", "prune"),
        "wrong-command",
    ),
    Case(
        failed("npm ci", "npm error `npm ci` needs a lock file. Run an install first."),
        ran("npm install"),
        Change("wrong-command", "ci", "install"),
        "wrong-arguments",
    ),
    Case(
        failed("ruff src", NO_COMMAND),
        ran("ruff check src"),
        Change("wrong-command", "ruff", "ruff check"),
        "wrong-command",
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
