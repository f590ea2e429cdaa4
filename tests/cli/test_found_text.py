"""The line that holds the words, cut around them, and where they stand."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from lessons.cli.found_text import Words, excerpt
from tests.tables import table


@table(
    ("words", "text", "expected"),
    [
        (["push"], "pushed and depush", []),
        (["no verify"], "verify no", []),
        (["***", ""], "*** all", []),
        (["push"], "Push, push", ["Push", "push"]),
        (["pu*"], "pushed", ["pushed"]),
        (["--no-verify"], "git --no-verify", ["no-verify"]),
        (["no_verify"], "git --no-verify", ["no-verify"]),
        (["cafe"], "im Café", ["Café"]),
        (["git", "git push"], "git push", ["git push"]),
        (["a.b"], "a/b a.b ab", ["a/b", "a.b"]),
    ],
)
def test_places(words: list[str], text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in Words(words).places(text)] == expected


@table(
    ("text", "expected"),
    [
        ("", ""),
        ("nothing\nof it", "nothing …"),
        ("Exit code 2\nno such thing", "no such thing"),
        ("first\n\n  the  needle  here ", "the needle here"),
        ("x " * 30 + "needle", "…x x needle"),
        ("needle" + " y" * 30, "needle y y y y y y…"),
    ],
)
def test_excerpts(text: str, expected: str) -> None:
    assert excerpt(text, Words(["needle"]), 20) == expected


@given(st.text(max_size=200), st.integers(8, 80))
def test_an_excerpt_fits(text: str, width: int) -> None:
    line = excerpt(text + "\n写 needle " + text, Words(["needle"]), width)
    assert cell_len(line) <= width
    assert "\n" not in line
