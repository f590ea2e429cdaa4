"""Patterns that are descriptions: commands that only end in -ing must not be taken for one."""

from lessons.promote.trigger_rules import is_prose
from tests.tables import table

NO_PROSE = [
    *("", "pytest", "git commit", "npm run testing", "make building", r"git stash\b", "processing.py run"),
    *("ping example.com", "fping -a", "arping 10.0.0.1", "string x", "spring boot run", "king", "ring -x"),
    *(
        "building --all",
        "running -v",
        r"testing\s*--fast",
        "^(?:using|running) x",
        "**/testing/*.py",
        "src/testing/a.py",
    ),
]
PROSE = [
    *("running tests", "using pip install", "debugging", "Editing files in src/app", r"\brunning\b tests"),
    *("Running the tests, twice", "running `make`", "writing to /etc/hosts", r"^checking\s+out a branch$"),
]


@table("pattern", NO_PROSE)
def test_what_can_be_met(pattern: str) -> None:
    assert not is_prose(pattern)


@table("pattern", PROSE)
def test_what_describes(pattern: str) -> None:
    assert is_prose(pattern)
