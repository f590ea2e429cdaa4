"""Two commands side by side: what went is red, what came is green, and what is the same gives way."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from lessons.cli.review.diff import CAME, GONE, alone, diff
from tests.tables import table

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


def test_long_words_show_where_they_differ() -> None:
    start, end = "https://host/a/very/long/path/that/is/the/same/", "/and/the/rest/of/it/is/as/well.json"
    [before], [after] = diff(f"curl {start}v1{end}", f"curl {start}v2{end}", ROOM)
    assert "v1" in before.plain
    assert "v2" in after.plain
    assert len(before.plain) < 60


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
