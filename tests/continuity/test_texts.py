"""What is stored of a text: no secret, no control sequences, never more than the limit."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.continuity.activity import storable, storable_line
from tests.tables import table

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@table(
    ("text", "expected"),
    [
        ("", ""),
        ("\x00\x07\x1b", ""),
        ("plain text", "plain text"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;a title\x07shown", "shown"),
        ("one\x9b2Jtwo", "one2Jtwo"),
        ("left\u202eright\u2066", "leftright"),
        ("half \ud83d of one", "half ? of one"),
        ("two\u2028lines", "two\nlines"),
        ("tag\U000e0041s", "tags"),
        (f"export GITHUB_TOKEN={TOKEN}", "export GITHUB_TOKEN=[redacted:github-token]"),
        (f"curl \x1b[1mghp_\x1b[0m{TOKEN[4:]}", "curl [redacted:github-token]"),
    ],
)
def test_storable(text: str, expected: str) -> None:
    assert storable(text, 100) == expected


def test_a_long_text_is_cut_and_says_so() -> None:
    assert storable("x" * 5_000_000, 10) == "xxxxxxxxx…"
    assert storable("x" * 10, 10) == "x" * 10
    assert storable("secret " + TOKEN, 20) == "secret [redacted:gi…"


def test_one_line() -> None:
    assert storable_line("  a\n\tb   c\n", 100) == "a b c"


@given(st.text(max_size=400), st.integers(1, 60))
def test_any_text_can_be_stored_and_is_bounded(text: str, limit: int) -> None:
    found = storable(text, limit)
    assert len(found) <= limit
    found.encode()
    assert not any(sign < " " and sign not in "\t\n" for sign in found)
