"""Rules of hookify: those that a lesson cannot stand for are refused, the others fire on the same calls."""

from pathlib import Path

import pytest

from lessons.errors import Refused
from lessons.promote.imports.review import Draft
from lessons.promote.imports.rules import hookify_drafts
from lessons.promote.publish.examples import fires
from tests.tables import table

BODY = "Removing a whole **tree** cannot be undone.\n\nMove it to a folder of its own and look at what is in it."


def rule(tmp_path: Path, fields: str, body: str = BODY) -> Draft:
    file = tmp_path / "hookify.my-rule.local.md"
    file.write_text(f"---\nname: my-rule\n{fields}\n---\n\n{body}\n", encoding="utf-8")
    [draft] = hookify_drafts(str(file))
    return draft


def about(event: str, *conditions: tuple[str, str, str]) -> str:
    lines = [
        f"  - field: {field}\n    operator: {operator}\n    pattern: {pattern}"
        for field, operator, pattern in conditions
    ]
    return "\n".join([f"event: {event}", "conditions:", *lines])


ENV = {"tool": "Write", "path": "/shop/.env", "content": "KEY=(1)"}
IN_ENV = about(
    "file", ("file_path", "ends_with", ".env"), ("new_text", "contains", "KEY=("), ("content", "not_contains", "demo")
)
SECRETS = about("file", ("file_path", "regex_match", r"credentials|secrets|\.env$"))


@table(
    ("fields", "expected"),
    [
        # A text: why a lesson cannot stand for the rule.
        ("event: bash\nenabled: false\npattern: rm", "enabled is false."),
        ("event: stop\npattern: x", "event is stop: "),
        ("event: prompt\npattern: x", "event is prompt: "),
        ("pattern: x", "event is all: "),
        ("event: bash", "it has no pattern that could fire."),
        (about("file", ("new_text", "not_contains", "x")), "it has no pattern that could fire."),
        (about("file", ("new_text", "contains", "a"), ("content", "contains", "b")), "has two for content"),
        (about("file", ("file_path", "regex_match", r"a\d")), "which no glob can express."),
        (about("file", ("file_path", "not_contains", "a")), "which no glob can express."),
        (about("stop", ("transcript", "contains", "x")), "event is stop: "),
        (about("file", ("old_text", "contains", "x")), "the field 'old_text', which a lesson does not look at."),
        (about("file", ("new_text", "sounds_like", "x")), "the operator 'sounds_like', which is not supported."),
        ("event: bash\nconditions:\n  - {field: command, pattern: rm}", "the field ''"),
        ("event: bash\nconditions:\n  - rm", "the field ''"),
        # A call, and whether the lesson fires on it.
        ("event: bash\npattern: rm\\s+-rf", ("cd /x && rm  -rf y", True)),
        ("event: bash\npattern: rm\\s+-rf", ("rm -r y", False)),
        ('event: "bash"\n# a comment\npattern: "drop table"', ("psql -c 'DROP TABLE x'", True)),
        ("event: bash\npattern: DROP|truncate", ("psql -c 'drop table x'", True)),
        ("event: bash\npattern: (?s)rm.x", ("RM\nx", True)),
        ("event: bash\npattern: ^\\d+$", ("12", True)),
        ("event: bash\nconditions:\n- field: command, operator: contains, pattern: rm", ("rm x", True)),
        (about("bash", ("command", "contains", "Drop Table")), ("drop table x", False)),
        (about("bash", ("command", "starts_with", "RM")), ("rm x", False)),
        (about("bash", ("command", "equals", "Make")), ("make", False)),
        (about("bash", ("command", "equals", "make")), ("make", True)),
        (IN_ENV, (ENV, True)),
        (IN_ENV, ({**ENV, "path": "/shop/env.py"}, False)),
        (IN_ENV, ({**ENV, "content": "KEY=1"}, False)),
        (IN_ENV, ({**ENV, "content": "KEY=( demo"}, False)),
        (SECRETS, (ENV, True)),
        (SECRETS, ({**ENV, "path": "/shop/credentials.json"}, True)),
        (SECRETS, ({**ENV, "path": "/shop/a.py"}, False)),
        (about("file", ("file_path", "starts_with", "/shop/")), (ENV, True)),
        (about("file", ("file_path", "starts_with", "/shop/")), ({**ENV, "path": "/a/shop/b"}, False)),
        (about("file", ("file_path", "contains", "env")), (ENV, True)),
        (f"{SECRETS}\ntool_matcher: Edit|MultiEdit", (ENV, False)),
    ],
)
def test_a_rule_is_refused_or_fires_on_the_same_calls(
    tmp_path: Path, fields: str, expected: str | tuple[str | dict[str, str], bool]
) -> None:
    draft = rule(tmp_path, fields)
    if isinstance(expected, str):
        assert expected in draft.refusal
    else:
        call, is_hit = expected
        assert draft.refusal == ""
        assert fires(draft.document, call) is is_hit


@table(
    ("body", "problem", "solution"),
    [
        (
            BODY,
            "Removing a whole tree cannot be undone.",
            "Move it to a folder of its own and look at what is in it.",
        ),
        (
            "**Ask** before anything is removed",
            "The rule my-rule of hookify was written about this call.",
            "Ask before anything is removed",
        ),
    ],
)
def test_the_message_is_problem_and_solution(tmp_path: Path, body: str, problem: str, solution: str) -> None:
    document = rule(tmp_path, "event: bash\npattern: rm", body).document
    assert (document["problem"], document["solution"]) == (problem, solution)


def test_what_differs_is_noted(tmp_path: Path) -> None:
    draft = rule(tmp_path, f"{SECRETS}\naction: block")
    assert (draft.place, draft.name) == ("hookify.my-rule.local.md", "my-rule")
    assert draft.note.startswith("it blocks the call there")
    assert draft.note.endswith("it compares paths without their case there; here the case counts")
    assert "no message" in rule(tmp_path, SECRETS, "").refusal


@table("text", ["", "no front matter", "---\nname: x\n", "\x00" * 100])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "hookify.x.local.md").write_text(text)
    with pytest.raises(Refused, match="it is not a hookify rule"):
        hookify_drafts(str(tmp_path / "hookify.x.local.md"))
