"""The output of programs, without what was added around it."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.failure.clean import LONGEST_ERROR, clean, one_line
from tests.tables import table


@table(
    "text",
    ["Errors were found", "Exit codes are listed below", "[2 files] changed", "a\x00b", "Error handling failed"],
)
def test_words_stay(text: str) -> None:
    assert clean(text) == text


@table(
    ("error", "text"),
    [
        ("", ""),
        ("Error", ""),
        ("Exit code 1", ""),
        ("Exit code 128\nfatal: no", "fatal: no"),
        ("Exit code -1\n\n", ""),
        ("Error: Exit code 2\nusage: x", "usage: x"),
        ("<tool_use_error>Blocked</tool_use_error>", "Blocked"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("[2mdim[22m", "dim"),
        ("\x1b]8;;https://example.com\x07link\x1b]8;;\x07", "link"),
        ("Exit code 1\r\nfirst\r\nsecond", "first\nsecond"),
        ("Rebasing (1/2)\rRebasing (2/2)\rdone", "Rebasing (1/2)\nRebasing (2/2)\ndone"),
    ],
)
def test_what_was_put_around_it_goes(error: str, text: str) -> None:
    assert clean(error) == text


@given(st.text(max_size=9000))
def test_any_text(error: str) -> None:
    assert len(clean(error)) <= LONGEST_ERROR
    assert clean(error) == clean(error).strip()
    assert "\n" not in one_line(error) and one_line(error).isprintable()
