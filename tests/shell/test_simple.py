"""Simple lines are split without the parser, with the same result."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.shell.fast import simple_invocations
from lessons.shell.parser import KEYWORDS
from lessons.shell.split import invocations
from lessons.shell.starts import _READERS
from lessons.shell.tables import PYTHONS, SHELLS, SPECIAL, STARTERS
from tests.shell.construct_rows import BASH_QUIET, BASH_RUNS, HAND_QUIET, HAND_RUNS
from tests.sizes import examples
from tests.tables import table

NAMES = [*STARTERS]
# They run a program that the project depends on, by its name alone.
NODE_RUNNERS = {"pnpm", "yarn"}


@table(
    "line",
    [
        *("", "echo 'a'", "cat $HOME", "(ls)", "ls > a", "a\nb", "ls  -l", "[[ a && b ]]", "! ls"),
        *("sudo git push", "git bisect run make", "git -C a push", "npm exec tsc", "docker compose up", "docker run a"),
        *("python a.py", "python3 a.py", "python3.12 a.py", "echo a | bash", "xargs git push", "find a -delete"),
        *(
            "./run",
            "/usr/bin/git push",
            "git.exe push",
            "A=1 git push",
            "if x",
            "yarn jest",
            "a && sudo b",
            "x" * 70_000,
        ),
    ],
)
def test_line_for_the_full_reader(line: str) -> None:
    assert simple_invocations(line) is None or simple_invocations(line) == invocations(line) == []


@table(
    ("line", "commands"),
    [
        ("git stash", ["git stash"]),
        ("git", ["git"]),
        ("npm run build 2>&1 | tail -20 && git status --short", ["npm run build", "tail -20", "git status --short"]),
        ("cd api; npm test;", ["cd api", "npm test"]),
        ("docker ps & ls *.py", ["docker ps", "ls *.py"]),
    ],
)
def test_simple_line(line: str, commands: list[str]) -> None:
    assert simple_invocations(line) == [[command] for command in commands] == invocations(line)


def test_every_special_program_is_known_to_the_simple_reader() -> None:
    assert {*_READERS} | NODE_RUNNERS == SPECIAL


@table("line", BASH_QUIET + BASH_RUNS + HAND_QUIET + HAND_RUNS)
def test_constructs_give_the_same(line: str) -> None:
    assert simple_invocations(line) in (None, invocations(line))


words = st.one_of(
    st.sampled_from([name for name in NAMES if "=" not in name]),
    st.sampled_from([*_READERS, *SHELLS, *PYTHONS, *KEYWORDS, *NODE_RUNNERS]),
    st.sampled_from(["git", "npm", "push", "run", "exec", "--", "-c", "-x", "a=1", "a.b", "a/b", "2>&1", "é", "3"]),
    st.text(min_size=1, max_size=6),
)
operators = st.sampled_from([" ", " ", " ", " && ", " | ", "; ", " ; ", " & ", " || ", "  "])


@given(st.lists(st.tuples(words, operators), min_size=1, max_size=8))
@settings(max_examples=examples(3000))
def test_any_line_gives_the_same(parts: list[tuple[str, str]]) -> None:
    line = "".join(word + operator for word, operator in parts).rstrip(" ")
    assert simple_invocations(line) in (None, invocations(line))
