"""Why a lesson fired, in words."""

from lessons.cli.verbs.listing import why_in_words
from tests.tables import table

TRIGGERS: dict[str, object] = {"commandPatterns": ["a", "b c"], "errorPatterns": ["E1"], "pathPatterns": "odd"}


@table(
    ("why", "words"),
    [
        ("", ""),
        ("commandPatterns", "commandPatterns"),
        ("commandPatterns[2]", "command matched a pattern that no longer exists"),
        ("pathPatterns[0]", "path matched a pattern that no longer exists"),
        ("somethingElse[0]", "somethingElse matched a pattern that no longer exists"),
        ("commandPatterns[1]", "command matches `b c`"),
        ("errorPatterns[0]", "error matches `E1`"),
        ("toolNames", "any use of the tool"),
        ("sessionStart", "a session started"),
    ],
)
def test_in_words(why: str, words: str) -> None:
    assert why_in_words(why, TRIGGERS) == words
