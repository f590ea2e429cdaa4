"""A few lines of a long text: never too many, the important ones among them, and nothing left out in silence."""

import re

from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from lessons.cli.review.excerpt import excerpt, output_lines, raw_lines
from tests.tables import table


def lines(number: int) -> list[Text]:
    return [Text(f"line {place}") for place in range(number)]


@given(st.integers(0, 60), st.integers(1, 12), st.integers(0, 70))
def test_lines_and_gaps_make_the_whole(number: int, most: int, important: int) -> None:
    chosen = [important] if important < number else []
    shown = [line.plain for line in excerpt(lines(number), most, chosen)]
    assert len(shown) <= max(1, most)
    if most >= 3:
        gaps = sum(int(found[1]) for line in shown if (found := re.match(r"… (\d+) more line", line)))
        assert gaps + sum(line.startswith("line") for line in shown) == number
        assert all(f"line {place}" in shown for place in chosen)


@table(
    ("output", "telling", "most", "expected"),
    [
        ("", "", 3, []),
        ("one\n\n\ntwo\n", "", 3, ["one", "two"]),
        ("a\nb\nc\nd\ne", "", 3, ["a", "… 3 more lines", "e"]),
        ("a\nb\nc\nd\ne\nf\ng", "d", 5, ["a", "… 2 more lines", "d", "… 2 more lines", "g"]),
        ("a\nb\nc\nd\ne", "e", 1, ["e"]),
        ("\x1b[31mred\x1b[0m\x1b]0;title\x07 \x1b[2J\tx\r\nnext", "", 3, ["red     x", "next"]),
        ("x" * 50, "", 3, ["x" * 29 + "…"]),
        # What is said twice is shown once, the exit code only where there is nothing else.
        ("Exit code 1", "", 3, ["Exit code 1"]),
        ("Exit code 2\nno such file\nno such  file", "no such file", 3, ["no such file"]),
        ('{"message": "no such file"}\ngh: no such file', "no such file", 1, ["gh: no such file"]),
        # The words that matter are visible, at the end of a long line or in slightly other words.
        ("x" * 40 + " no such file or folder", "no such file", 1, ["…no such file or folder"]),
        ("usage\nTool 'upload' cannot do that\nend", 'Tool "upload" cannot', 1, ["Tool 'upload' cannot do that"]),
    ],
)
def test_what_a_call_printed(output: str, telling: str, most: int, expected: list[str]) -> None:
    assert [line.plain for line in output_lines(output, telling, 30, most)] == expected


@given(st.text())
def test_nothing_steers_the_terminal(text: str) -> None:
    assert not {"\x1b", "\x07", "\x08", "\x9b", "\r", "\n"} & set("".join(raw_lines(text)))
