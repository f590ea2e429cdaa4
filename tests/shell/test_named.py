"""Which words of a command an error mentions."""

from lessons.shell.named import is_named
from tests.tables import table


@table(
    ("word", "said"),
    [
        ("a", "a is wrong"),  # too short to say anything
        ("lint", "no script lint-fix"),
        ("stat", "unknown flag: --stat"),
        ("docs/", "no matches found: docs/*.md"),
        ("main", "remaining"),
        ("notes", "cannot open notes.txt"),
        ("\\t", "number and string (\\t)"),
        ("", ""),
    ],
)
def test_not_named(word: str, said: str) -> None:
    assert not is_named(word, said)


@table(
    ("word", "said"),
    [
        ("--stat", "unknown flag: --stat"),
        ("-C", "unexpected argument '-C' found"),
        ('"acme",', "no repository 'acme/shop'"),
        ("!=", "syntax error at \\!= here"),
        ("notes", "notes-old is there, notes is not"),
        ("docs/", "docs/: Is a directory"),
    ],
)
def test_named(word: str, said: str) -> None:
    assert is_named(word, said)
