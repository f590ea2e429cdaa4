"""Long texts are searched in pieces: the result equals a search of the whole text."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.match.rule import occurs
from tests.sizes import examples
from tests.tables import table

# In a text too long to be searched at once: what is not there, wherever the pieces begin and end.
ABSENT = [
    ("x$", "a" * 8191 + "x" + "b" * 5000),
    (r"x\Z", "a" * 8191 + "x" + "b" * 5000),
    (r"\Ax", "a" * 6144 + "x" * 9000),
    ("(?<!a)x", "a" * 6144 + "x" + "a" * 9000),
    (r"\bend\b", "weekend" * 3000),
    ("xy", "x" * 20_000),
    ("git [^|]*$", "git " + "a" * 9000 + " | cat"),
    ("pytest(?!.*--no-header)", "pytest " + "a" * 9000 + " --no-header"),
    ("(?s)\\A(?!.*Copyright)", "x = 1\n" * 2000 + "# Copyright\n"),
]


# And what is there, wherever the pieces meet.
PRESENT = [
    ("xy", "a" * 8191 + "xy" + "b" * 9000),
    ("(?<=x)y", "a" * 8191 + "xy" + "b" * 9000),
    ("x{2000}", "a" * 7000 + "x" * 2000 + "b" * 9000),
    ("(?m)^x", "a" * 8191 + "\nx" + "b" * 9000),
    ("(?m)x$", "a" * 8191 + "x\n" + "b" * 9000),
    ("b$", "a" * 20_000 + "b"),
    ("pytest(?!.*--no-header)", "pytest " + "a" * 9000 + "\n --no-header"),
    (r"(?<!\n)\Z", "a" * 20_000),
]


@table(("pattern", "text"), PRESENT)
def test_where_pieces_meet_nothing_is_missed(pattern: str, text: str) -> None:
    assert occurs(re.compile(pattern), text)


def test_the_very_end_of_a_text_is_looked_at() -> None:
    assert all(occurs(re.compile(r"(?<!\n)\Z"), "a" * 4096 * times) for times in range(1, 13))


@table(("pattern", "text"), ABSENT)
def test_the_end_of_a_piece_is_not_the_end_of_the_text(pattern: str, text: str) -> None:
    assert not occurs(re.compile(pattern), text)


@given(
    st.sampled_from(
        ["git push", r"\bgit\b", "(?m)^git", "git$", "(?i)GIT +push", "push|pull", r"(?<=\s)push\s", "[^a ]"]
    ),
    st.lists(st.tuples(st.integers(0, 9000), st.sampled_from(["git push", "git", "\ngit\n", "pull", "Git  push "]))),
    st.sampled_from(["a", "a ", "agit"]),
    st.integers(0, 9000),
)
@settings(max_examples=examples(80), deadline=None)
def test_a_long_text_is_searched_as_a_whole(
    pattern: str, parts: list[tuple[int, str]], filling: str, rest: int
) -> None:
    text = "".join((filling * 9000)[:length] + part for length, part in parts) + (filling * 9000)[:rest]
    assert occurs(re.compile(pattern), text) is (re.search(pattern, text) is not None)
