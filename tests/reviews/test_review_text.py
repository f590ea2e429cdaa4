"""Which quoted code a reviewer calls wrong, and which is recommended."""

from lessons.reviews.review_text import forbidden_code, is_path, key_of, quoted_code
from tests.tables import table

NOT_WRONG = [
    "Use `datetime.now(UTC)` here.",
    "Please switch to `Path.read_text()`.",
    "This should be `items.get(key)`.",
    "See `src/app/main.py:12` for an example.",
    "The variable `name` is fine.",
    "Call `close()` first.",
    "```python\ndatetime.utcnow()\n```",
]
WRONG = [
    ("Use `datetime.now(UTC)` instead of `datetime.utcnow()`.", ["datetime.utcnow()"]),
    ("Replace `os.system(x)` with `subprocess.run(x)`.", ["os.system(x)"]),
    ("Do not use `eval(text)`.", ["eval(text)"]),
    ("`datetime.utcnow()` is deprecated, use `datetime.now(UTC)`.", ["datetime.utcnow()"]),
    ("Avoid the `any[]` type.", ["any[]"]),
    ("Prefer `x is None` over `x == None`.", ["x == None"]),
]

# The code is right; something else is not there.
LACKING = [
    "You should check `err != nil` here.",
    "`parse_config()` needs a test.",
    "`request.args` is not validated.",
    "`self.client` is never closed, leak.",
]


@table("text", NOT_WRONG)
def test_recommended_code_paths_and_words_are_not_wrong(text: str) -> None:
    assert quoted_code(text).wrong == []


@table("text, wrong", WRONG)
def test_wrong_code(text: str, wrong: list[str]) -> None:
    assert quoted_code(text).wrong == wrong


def test_paths_and_keys() -> None:
    assert is_path("src/a.py") and is_path("a.py:3") and not is_path("os.path") and not is_path("datetime.utcnow")
    assert key_of("f(a, b)") == key_of("f()") == "f"


@table("text", LACKING)
def test_code_that_something_is_missing_at_is_not_forbidden(text: str) -> None:
    assert quoted_code(text).wrong and forbidden_code(text) == []


@table("text, wrong", WRONG)
def test_wrong_code_is_forbidden(text: str, wrong: list[str]) -> None:
    assert forbidden_code(text) == forbidden_code(f"{text} A test is missing.") or "deprecated" in text
    assert forbidden_code(text) == wrong
