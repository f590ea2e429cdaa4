"""Texts are cut to a screen: the telling line stays, the changed words stay, blocks give up lines in order."""

import re

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from lessons.cli.excerpts import (
    CAME,
    FIRST,
    GONE,
    LAST,
    MIDDLE,
    Block,
    alone,
    diff,
    excerpt,
    fit,
    key_lines,
    output_lines,
    raw_lines,
)
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
        ("one\u2028two", "", 3, ["one", "two"]),
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


ROOM = 140
WORDS = st.text(max_size=300) | st.lists(st.sampled_from(["make", "--all", "\n", "x" * 50, "é", "世界"])).map(" ".join)


def styled(text: Text, style: str) -> list[str]:
    return [text.plain[span.start : span.end] for span in text.spans if span.style == style]


@table(
    ("failed", "worked", "gone", "came"),
    [
        ("make all", "make all", [], []),
        ("", "", [], []),
        ("gh pr diff 7 --stat", "gh pr diff 7 --name-only", ["--stat"], ["--name-only"]),
        ("rtk bun run test", "bun run test", ["rtk"], []),
        ("cargo test x", "cargo test x -- --nocapture", [], ["-- --nocapture"]),
        ("python a.py && python b.py", "python3 a.py && python3 b.py", ["python"] * 2, ["python3"] * 2),
    ],
)
def test_what_differs_is_marked(failed: str, worked: str, gone: list[str], came: list[str]) -> None:
    [before], [after] = diff(failed, worked, ROOM)
    assert (before.plain, after.plain) == (failed, worked)
    assert (styled(before, GONE), styled(after, CAME)) == (gone, came)


def test_a_long_command_is_cut_where_it_is_the_same() -> None:
    same = " ".join(f"file-{number}.py" for number in range(90))
    [before], [after] = diff(f"git add {same} --bad -m x", f"git add {same} --good -m x", ROOM)
    assert before.plain.startswith("git add")
    assert "…" in before.plain
    assert (styled(before, GONE), styled(after, CAME)) == (["--bad"], ["--good"])
    assert max(cell_len(before.plain), cell_len(after.plain)) <= ROOM


def plain(lines: list[Text]) -> list[str]:
    return [line.plain for line in lines]


def test_lines_stay_lines_and_control_characters_are_gone() -> None:
    assert plain(alone("a\n\t  b\x1b[2J c\n", ROOM, 9)) == ["a", "      b�[2J c"]


@table(
    ("command", "expected"),
    [
        ("git add \\\n  one.py \\\n  two.py", "git add one.py two.py"),
        ("cat <<EOF\n  text\nEOF", "cat <<EOF text EOF"),
        ("Glob\npattern: *.py", "Glob pattern: *.py"),
    ],
)
def test_in_one_line_a_command_begins_with_its_program(command: str, expected: str) -> None:
    assert plain(alone(command, ROOM)) == [expected]
    assert plain(diff("make", command, ROOM)[1]) == [expected]


def test_of_many_lines_those_that_changed_stay() -> None:
    lines = [f"line {number}" for number in range(20)]
    changed = [*lines[:12], "another 12", *lines[13:]]
    before, after = diff("\n".join(lines), "\n".join(changed), ROOM, 5)
    assert plain(before) == ["line 0", "… 11 more lines", "line 12", "… 6 more lines", "line 19"]
    assert plain(after) == ["line 0", "… 11 more lines", "another 12", "… 6 more lines", "line 19"]
    assert [styled(line, GONE) for line in before if styled(line, GONE)] == [["line"]]


@given(WORDS, WORDS, st.integers(min_value=10, max_value=200), st.integers(min_value=1, max_value=9))
def test_it_never_takes_more_room_than_there_is(failed: str, worked: str, room: int, most: int) -> None:
    for lines in (*diff(failed, worked, room, most), alone(failed, room, most)):
        assert 1 <= len(lines) <= most
        for text in lines:
            assert cell_len(text.plain) <= max(room, len("… 100 more lines"))
            assert "\n" not in text.plain


def block(name: str, number: int, rank: int, floor: int) -> Block:
    return Block([Text(f"{name}{place}") for place in range(number)], rank, floor)


def shown(height: int) -> str:
    blocks = [block("out", 3, FIRST, 0), block("seen", 2, MIDDLE, 0), block("fires", 3, LAST, 2)]
    return " ".join(line.plain.replace(" …", "…") for line in fit(blocks, height, 40))


@table(
    ("height", "expected"),
    [
        (8, "out0 out1 out2 seen0 seen1 fires0 fires1 fires2"),
        (7, "out0 out1… seen0 seen1 fires0 fires1 fires2"),
        (6, "out0… seen0 seen1 fires0 fires1 fires2"),
        (5, "seen0 seen1 fires0 fires1 fires2"),
        (4, "seen0… fires0 fires1 fires2"),
        (3, "fires0 fires1 fires2"),
        (2, "fires0 fires1…"),
        (1, "fires0 fires1…"),
    ],
)
def test_what_goes_first(height: int, expected: str) -> None:
    assert shown(height) == expected


def test_keys_are_never_broken() -> None:
    keys = ["[p]romote", "[s]top once", "[?]  > "]
    assert key_lines(keys, 80) == ["[p]romote  [s]top once  [?]  > "]
    assert key_lines(keys, 24) == ["[p]romote  [s]top once", "[?]  > "]
    assert key_lines(keys, 5) == keys
