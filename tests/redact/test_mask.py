"""The quick mask: no secret of the test sets survives it, and what is quoted of ordinary calls says what they are."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.redact.mask import MASK, masked
from tests.redact.cases import TRUE_CASES
from tests.redact.cold import cold_secrets
from tests.redact.made_secrets import made_secrets
from tests.tables import table

# Plain words without anything that announces a secret: the redaction of stored texts knows their dictionary.
PHRASE = "legal winner thank"
SECRETS = [
    (text, secret)
    for text, secret in (
        *TRUE_CASES,
        *((each.text, each.secret) for each in cold_secrets()),
        *((each.text, each.secret) for each in made_secrets()),
    )
    if not text.startswith(PHRASE)
]


def test_no_secret_is_left() -> None:
    assert len(SECRETS) > 4000
    assert [(text, secret) for text, secret in SECRETS if secret in masked(text, 100)] == []


def test_nor_a_part_of_one() -> None:
    shown = [(word, secret) for text, secret in SECRETS for word in masked(text, 100).split() if word in secret]
    assert [(word, secret) for word, secret in shown if len(word) > 8 and not word.isalpha()] == []


@table(
    "text, shown",
    [
        ("gh pr diff 7 --stat", "gh pr diff … --stat"),
        ("cat src/app.py | head -5", "cat src/app.py | head …"),
        ("npm run tset", "npm run tset"),
        ("tool --depth=3 --name=x run", "tool --depth=… --name=… run"),
        ("python3 -m pytest tests/unit", "python3 -m … tests/unit"),
        ("mysql -phunter shop", "mysql …"),
        ("curl -u bob:word example.org", "curl -u … example.org"),
        ("API=1 make", "… make"),
        ("echo one\n  two\tthree", "echo one two three"),
        ("git commit -m 'add the login form'", "git …"),
        ("error: pathspec 'src/a.py' did not match", "error: pathspec 'src/a.py' did not match"),
        ("", ""),
    ],
)
def test_what_is_quoted(text: str, shown: str) -> None:
    assert masked(text, 100) == shown


@given(st.text(), st.integers(1, 50))
def test_any_text_becomes_one_short_line(text: str, longest: int) -> None:
    line = masked(text, longest)
    assert len(line) <= max(longest, 2 + len(MASK) + 20) and "\n" not in line


def test_very_long_text() -> None:
    assert len(masked("a " * 10**6, 60)) <= 60
    assert masked("a" * 10**6, 60) == MASK
