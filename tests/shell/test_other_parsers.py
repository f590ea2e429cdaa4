"""Two third-party parsers find the same commands as ours: in the construct table and in generated lines.

Where they differ on a row of the table, bash has judged the row (test_bash_oracle.py), and agrees with ours.
"""

import json
from collections.abc import Callable
from importlib import resources

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.shell.construct_rows import BASH_QUIET, BASH_RUNS, HAND_QUIET, HAND_RUNS
from tests.shell.other_parsers import Commands, by_bashlex, by_splitter, by_tree_sitter, plain
from tests.sizes import examples
from tests.tables import table

WORDS = (
    "git",
    "push",
    "-q",
    "--force",
    "a.txt",
    "'a b'",
    '"a $x"',
    "a\\ b",
    '"it\'s"',
    "$x",
    "${y}",
    "A=b",
    "é",
    "'#'",
    "a#b",
    "''",
)
PROGRAMS = ("git", "ls", "make", "'npm'", "./run", "echo")
BEFORE = ("", "", "", "A=1 ", "A='b c' B=2 ")
BEHIND = ("", "", "", " > out", " 2>&1", " >> 'a b'", " < in")
AROUND = (
    "( LINE )",
    "{ LINE; }",
    "if LINE; then LINE; else LINE; fi",
    "while LINE; do LINE; done",
    "for x in a 'b c'; do LINE; done",
    "case a in b|'c d') LINE;; *) LINE;; esac",
    'echo "in $( LINE ) out"',
    "x=$( LINE )",
    "cat <( LINE )",
    "LINE # LINE",
    "f() { LINE; }",
)
BETWEEN = (" && ", " || ", "; ", " | ", "\n")

command = st.builds(
    lambda before, program, words, behind: " ".join([before + program, *words]) + behind,
    st.sampled_from(BEFORE),
    st.sampled_from(PROGRAMS),
    st.lists(st.sampled_from(WORDS), max_size=4),
    st.sampled_from(BEHIND),
)


def around(lines: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    inside = st.tuples(st.sampled_from(AROUND), lines).map(lambda pair: pair[0].replace("LINE", pair[1]))
    return inside | st.tuples(lines, st.sampled_from(BETWEEN), lines).map("".join)


lines = st.recursive(command, around, max_leaves=5)


def programs(commands: Commands) -> list[str]:
    return sorted(plain(words[0]) for words in commands)


@settings(max_examples=examples(300), deadline=None)
@given(lines)
def test_tree_sitter_finds_the_same_programs(line: str) -> None:
    found = by_tree_sitter(line)
    assume(found is not None)
    assert programs(by_splitter(line)) == found


@settings(max_examples=examples(300), deadline=None)
@given(lines)
def test_bashlex_finds_the_same_words(line: str) -> None:
    # It reads two commands of a substitution as one.
    assume(not (("$(" in line or "<(" in line) and "\n" in line))
    found = by_bashlex(line)
    assume(found is not None)
    assert by_splitter(line) == found


def starter_examples() -> list[str]:
    records = json.loads(resources.files("lessons.promote").joinpath("starter.json").read_text("utf-8"))["lessons"]
    found = [one for record in records for kind in ("fires", "quiet") for one in record["examples"][kind]]
    # Backticks are where both are wrong: in single quotes, and in heredocs.
    return [one for one in found if isinstance(one, str) and "`" not in one]


@table("line", HAND_RUNS + HAND_QUIET + starter_examples())
def test_both_agree_on_what_bash_does_not_judge(line: str) -> None:
    mine = by_splitter(line)
    assert by_tree_sitter(line) in (None, programs(mine))
    assert by_bashlex(line) in (None, mine)


PARSERS: list[tuple[Callable[[str], object], Callable[[Commands], object]]] = [
    (by_tree_sitter, programs),
    (by_bashlex, list),
]


@table(("parser", "view"), PARSERS)
def test_they_read_the_table_and_differ_seldom(
    parser: Callable[[str], object], view: Callable[[Commands], object]
) -> None:
    rows = BASH_RUNS + BASH_QUIET
    read = [(found, view(by_splitter(line))) for line in rows if (found := parser(line)) is not None]
    assert len(read) > 0.85 * len(rows)
    assert sum(found != mine for found, mine in read) < 0.08 * len(rows)
