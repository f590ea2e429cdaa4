"""Rules in Markdown: of hookify, those that a lesson cannot stand for are refused; of a CLAUDE.md, each is a note."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.errors import NotFound, Refused
from lessons.promote.imports.review import Draft
from lessons.promote.imports.rules import _bullets, hookify_drafts, markdown_drafts
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


# Bullets of a CLAUDE.md.

TEXT = """# Shop
- a bullet above every section is no rule

## Build
- make all builds everything you want

## Conventions #
Some words before.

- Use pnpm for everything; npm breaks the lock file.
- **Never** push to main:
  open a pull request instead
  - and ask for a review
* short

```sh
- a line of code that only looks like a bullet
# Rules of a comment
```
### Deeper
1. Dates are stored in UTC and shown in the reader's own time zone.

## Other things
- nothing of this one is a rule at all
"""


def read(tmp_path: Path, text: str, section: str | None = None) -> list[Draft]:
    (tmp_path / "CLAUDE.md").write_text(text, encoding="utf-8")
    return markdown_drafts(str(tmp_path / "CLAUDE.md"), section)


@table("text", ["", "no headings", "## Build\n- make all builds everything\n", "```\n## Rules\n- not a rule\n"])
def test_where_nothing_sounds_like_a_rule_there_is_none(text: str, tmp_path: Path) -> None:
    assert read(tmp_path, text) == []


def test_a_section_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="has no section Rules: its headings are Shop, Build, Conventions"):
        read(tmp_path, TEXT, "Rules")


def test_what_is_no_text_or_has_no_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_bytes(b"\xff")
    with pytest.raises(Refused, match="UTF-8"):
        markdown_drafts(str(tmp_path / "CLAUDE.md"))
    with pytest.raises(Refused, match="more than 1,000 such bullets"):
        read(tmp_path, "# Rules\n" + "- a rule like all the others here\n" * 1001)
    [draft] = read(tmp_path, "# Rules\n- a rule\n" + "  that goes on and on\n" * 100_000)
    assert "too long" in draft.refusal


def test_each_bullet_of_the_rules_is_a_note_at_the_start(tmp_path: Path) -> None:
    found = read(tmp_path, TEXT)
    assert [(draft.place, draft.name, draft.refusal) for draft in found] == [
        ("line 10", "Use pnpm for everything; npm breaks the lock file.", ""),
        ("line 11", "Never push to main: open a pull request instead and ask for a review", ""),
        ("line 14", "short", "it is too short for a lesson (5 characters)."),
        ("line 21", "Dates are stored in UTC and shown in the reader's own time zone.", ""),
    ]
    assert found[0].document["triggers"] == {"sessionStart": True}
    assert found[0].document["solution"] == "Use pnpm for everything; npm breaks the lock file."
    assert "(CLAUDE.md, Conventions)" in str(found[0].document["problem"])


def test_the_named_section_alone(tmp_path: Path) -> None:
    assert [draft.place for draft in read(tmp_path, TEXT, "## build")] == ["line 5"]


@given(st.lists(st.text(alphabet="-*# `~1.)\tab", max_size=12), max_size=12))
def test_no_text_is_too_strange(lines: list[str]) -> None:
    for bullet in _bullets(["# Rules", *lines], None):
        assert lines[bullet.line - 2].strip()


@table("line", ["# " + "#" * 40_000 + "x", "# x" + " " * 40_000 + "y", "- " + "_" * 40_000, "_" * 40_000 + "x"])
def test_long_lines_take_no_quadratic_time(line: str, tmp_path: Path) -> None:
    started = time.process_time()
    read(tmp_path, f"# Rules\n{line}\n")
    assert time.process_time() - started < 1
