"""How a shell line is split into its commands, and which of them do the work."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.shell.line import parts, working
from tests.tables import table


@table(
    ("command", "wanted"),
    [
        ("", []),
        ("# only a remark", []),
        ("X=1", []),
        ("X=$(date)", []),
        ("git commit -m 'a | b; c && d'", [("git", "")]),
        ("git commit -m \"$(cat <<'EOF'\na | b\nEOF\n)\"", [("git", "")]),
        ("cat > x <<EOF\na | b\nEOF\nls", [("cat", "\n"), ("ls", "")]),
        ("[[ -f a && -f b || -f c ]] && make", [("[[", "&&"), ("make", "")]),
        ("make &> log", [("make", "")]),
        ("&> log make; ls", [("make", ";"), ("ls", "")]),
        ("make > log 2>&1 &", [("make", "&")]),
        ("make |& tail", [("make", "|"), ("tail", "")]),
        ("a && b || c; d\ne", [("a", "&&"), ("b", "||"), ("c", ";"), ("d", "\n"), ("e", "")]),
        ("(a; b) | c", [("a", ";"), ("b", "|"), ("c", "")]),
        ("{ a; b; } | c", [("a", ";"), ("b", "|"), ("c", "")]),
        ("for x in 1 2; do a $x; done | tail", [("a", "|"), ("tail", "")]),
        ("case x in a|b) c;; esac", [("c", ";")]),
        ("X=1 sudo -u me timeout 5 /usr/bin/make", [("make", "")]),
        ("a\r\nb", [("a", "\n"), ("b", "")]),
    ],
)
def test_commands_and_operators(command: str, wanted: list[tuple[str, str]]) -> None:
    assert [(part.program, part.operator) for part in parts(command)] == wanted


@table(
    ("command", "wanted"),
    [
        ("cd a && echo b; [ -f c ]", []),
        ("cd a && make", ["make"]),
        ("cat a | python b.py", ["python"]),
        ("cat a | head", ["cat", "head"]),
        ("cat a", ["cat"]),
        ("make | cat", ["make", "cat"]),
    ],
)
def test_what_works(command: str, wanted: list[str]) -> None:
    line = parts(command)
    assert [line[index].program for index in working(line)] == wanted


PIECES = [
    *"a b\n;&|()<>#'\"\\$`{}",
    "&&",
    "||",
    ";;",
    "$(",
    "((",
    "[[ ",
    " ]]",
    "<<E\n",
    "E\n",
    "case ",
    " in ",
    "esac",
    "X=1 ",
]


@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_line_raises(command: str) -> None:
    for part in parts(command):
        assert part.words and part.program
