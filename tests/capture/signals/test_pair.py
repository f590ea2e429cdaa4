"""Two parsed lines: which of their commands are compared, and the shell's folder."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lessons.capture.signals.content import around, contents
from lessons.capture.signals.pair import line_of, pair_of, stood
from tests.builders.steps import Case, failed, ran, thread
from tests.tables import table


def test_a_line_by_its_commands() -> None:
    line = line_of("cd web && source env.sh && sudo npm ci > log.txt 2>&1 | tail -3")
    assert line.folders == ("web",)
    assert line.prepared == ("source env.sh",)
    assert [(one.words, one.folders, one.piped) for one in line.commands] == [
        (("npm", "ci"), ("web",), False),
        (("tail", "-3"), ("web",), True),
    ]


def test_the_script_of_another_shell() -> None:
    command = line_of('ssh -i key ops@web "cd /opt && docker ps -a"').commands[0]
    assert command.words == ("docker", "ps", "-a")
    assert command.folders == ("/opt",)
    assert command.outer == "ssh -i key ops@web"
    assert line_of("ssh web uptime -p").commands[0].outer == "ssh web"


def test_a_subshell_is_left_again() -> None:
    assert line_of("(cd web && npm ci)").folders == ()


@table(
    ("failing", "error", "working", "before", "after"),
    [
        ("git add a && git commit -m x", "", "git add b && git commit -m x", "git add a", "git add b"),
        ("git add a && git push", "", "git add a", "git add a", "git add a"),
        ("make | cat -A", "cat: illegal option -- A", "make | cat", "cat -A", "cat"),
        ("ls src* && ls lib*", "zsh: no matches found: lib*", "ls src* && ls lib", "ls lib*", "ls lib"),
        (
            "git checkout main && git checkout -b next",
            "fatal: a branch named 'next' already exists",
            "git checkout next",
            "git checkout -b next",
            "git checkout next",
        ),
    ],
)
def test_what_is_compared(failing: str, error: str, working: str, before: str, after: str) -> None:
    pair = Case(failed(failing, error), ran(working)).pair()
    assert " ".join(pair.before.words) == before
    assert " ".join(pair.after.words) == after


def test_what_stands_in_quotes() -> None:
    line = "git add . && git commit -m 'one two' 2>&1 | tail -1"
    assert contents(line, ("git", "commit", "-m", '""')) == ("git", "commit", "-m", "one two")
    assert contents(line, ("git", "add", ".")) == ("git", "add", ".")
    assert contents("", ("git", '""')) == ("git", '""')


def test_what_stands_around() -> None:
    assert around("A=1 sudo -u web make all 2>&1", ("make", "all")) == "A=1 sudo -u web "
    assert around("make all", ("make", "all")) == ""
    assert around("ls", ("make", "all")) == ""


def test_the_folder_is_noted_late() -> None:
    steps = thread(ran("cd /srv/web && ls"), ran("npm test"), ran("npm test", cwd="/srv/web"))
    assert [stood(steps, place) for place in range(3)] == ["/srv/shop", "/srv/web", "/srv/web"]


def test_a_failed_or_inner_cd_does_not_move_the_shell() -> None:
    steps = thread(failed("cd /srv/web && ls"), ran("(cd /srv/api && ls)"), ran("npm test"))
    assert stood(steps, 2) == "/srv/shop"


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_can_be_taken_apart(one: str, other: str) -> None:
    failure = msgspec.structs.replace(failed("make"), command=one, error=other)
    pair = pair_of(failure, msgspec.structs.replace(ran("make"), command=other))
    assert bool(pair.before.words) == bool(pair.failed.commands and pair.fixed.commands)
