"""Lines of words and operators only are parsed in a shorter way, with the same result."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.shell import step_reader
from lessons.shell.simple import simple_commands
from lessons.shell.steps import Step, steps
from tests.tables import table

WORDS = (
    "cat", "cd", "src/a.py", "X=1", "timeout", "5", "-n", "2>&1", "env", "command", "[", "]", "~/x", "*.py", "=",
    "time", "for", "in", "do", "then", "PATH=x", "a;", ";", "&&", "||", "|", "&", "",
)  # fmt: skip


def told(found: list[Step]) -> list[tuple[object, ...]]:
    return [
        (step.words, step.contents, step.texts, step.operator, step.odd, step.alters, step.hides_errors, step.begin)
        for step in found
    ]


@table(
    "command",
    ["cat 'a'", "cat $X", "(cat a)", "if x; then y; fi", "cat a  b", "cat a\nls", "! x", "x > y", "[[ a && b ]]", "; a",
     "a;;", "a;b", "a&&b", "time x", " a"],
)  # fmt: skip
def test_line_that_is_more_than_words(command: str) -> None:
    assert simple_commands(command) is None


@table(
    "command",
    [
        "cat a",
        "cat a;",
        "cat a; ls",
        "cat a 2>&1 | tail -5 && ls",
        "a & b",
        "a || b;",
        "cat a ; b",
        "[ -d x ] && y",
    ],
)
def test_line_of_words(command: str) -> None:
    assert simple_commands(command) is not None
    assert told(steps(command)) == told(step_reader.read(command))


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_both_ways_give_the_same(command: str) -> None:
    assert told(steps(command)) == told(step_reader.read(command))
