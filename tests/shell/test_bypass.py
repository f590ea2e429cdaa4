"""Options, assignments and settings that skip a check, certainly or sometimes."""

from lessons.shell.bypass import bypasses_check, forces, may_bypass_check, may_set_check_off, sets_check_off
from tests.tables import table


@table(
    "command",
    [
        "git commit --no-verify",
        "git commit -anm x",
        "git -C web push -f",
        "docker compose down -v",
        "npm install -f",
        "mvn package -DskipTests",
    ],
)
def test_unsafe_options(command: str) -> None:
    words = command.split()
    assert bypasses_check(words)
    assert not bypasses_check(words, words)
    assert any(may_bypass_check(words, word) for word in words)


@table("command", ["git commit -am x", "tail -f a.log", "docker compose -f a.yml up", "git log -n 5"])
def test_other_options(command: str) -> None:
    words = command.split()
    assert not bypasses_check(words)
    assert not any(may_bypass_check(words, word) for word in words)


@table("option", ["--force-recreate", "--skip-download", "--legacy-peer-deps", "--no-deps"])
def test_doubtful_options(option: str) -> None:
    assert may_bypass_check(["lamp", option], option)
    assert not bypasses_check(["lamp", option])


def test_assignments_and_settings() -> None:
    assert sets_check_off("HUSKY=0 git commit", "git commit")
    assert sets_check_off("git -c core.hooksPath=/dev/null commit", "git commit")
    assert not sets_check_off("HUSKY=0 git commit", "HUSKY=0 git comit")
    assert not sets_check_off("SKIP_DOWNLOAD=1 npm ci", "npm ci")
    assert all(map(may_set_check_off, ("HUSKY=0", "SKIP=lint", "GIT_SSL_NO_VERIFY=1", "SKIP_DOWNLOAD=1")))
    assert not may_set_check_off("PYTHONPATH=src")


@table("command", ["git rm a", "npm run rm", "lamp kill", "cd rm", "LUX=1 lamp on", "perform", "docker rm -f a"])
def test_what_does_not_force(command: str) -> None:
    assert not forces(command)


@table("command", ["sudo lamp on", "rm a.lock", "cd a && rm -rf b", "LUX=1 sudo lamp", "kill 7", "sudo"])
def test_what_forces(command: str) -> None:
    assert forces(command)
