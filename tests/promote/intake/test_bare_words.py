"""A bare word as a command pattern is stored as a whole word, with a warning; everything else stays as it is."""

from lessons.promote.intake import normalise
from lessons.promote.trigger_rules import anchored, bare_word_warnings
from tests.tables import table


def record(pattern: object) -> dict[str, object]:
    return {"summary": "x", "triggers": {"toolNames": ["Bash"], "commandPatterns": [pattern]}}


@table(
    "pattern",
    [
        "",
        "git stash",
        r"\btsc\b",
        "^tsc",
        "--force",
        "-x",
        "x-",
        "tsc.*",
        "a|b",
        "é",
        "tsc ",
        "/tsc",
        7,
        None,
        [],
        "a.b",
    ],
)
def test_what_is_no_bare_word_stays(pattern: object) -> None:
    assert anchored(record(pattern)) == record(pattern)
    assert list(bare_word_warnings(record(pattern))) == []


@table("document", [{}, {"triggers": None}, {"triggers": "tsc"}, {"triggers": {"commandPatterns": "tsc"}}])
def test_anything_may_stand_in_a_record(document: dict[str, object]) -> None:
    assert anchored(document) == document
    assert list(bare_word_warnings(document)) == []


@table("pattern", ["tsc", "a", "docker-compose", "py3", "x_y"])
def test_a_bare_word_becomes_a_word_of_its_own(pattern: str) -> None:
    stored = rf"\b{pattern}\b"
    assert anchored(record(pattern)) == record(stored)
    assert normalise(record(pattern))["triggers"] == normalise(record(stored))["triggers"]
    [warning] = bare_word_warnings(record(pattern))
    assert warning == (
        f"The command pattern '{pattern}' is a bare word and is stored as '{stored}'."
        f" To match the program alone, use '^{pattern}\\b' with --match-on invocation."
    )


def test_at_the_start_of_a_command_it_is_the_program_already() -> None:
    triggers = {"commandPatterns": ["rtk"], "matchOn": "invocation"}
    assert list(bare_word_warnings({"triggers": triggers})) == [
        r"The command pattern 'rtk' is a bare word and is stored as '\brtk\b'."
    ]
