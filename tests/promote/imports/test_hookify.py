"""Rules of hookify: those that a lesson cannot stand for are refused, the others fire on the same calls."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.errors import Refused
from lessons.promote.imports.hookify import drafts
from lessons.promote.imports.markdown import Condition, split
from lessons.promote.imports.review import Draft
from lessons.promote.publish.examples import fires
from tests.tables import table

BODY = "Removing a whole tree cannot be undone.\n\nMove it to a folder of its own and look at what is in it."


def rule(tmp_path: Path, matter: str, body: str = BODY) -> Draft:
    file = tmp_path / "hookify.my-rule.local.md"
    file.write_text(f"---\nname: my-rule\n{matter}\n---\n\n{body}\n", encoding="utf-8")
    [draft] = drafts(str(file))
    return draft


def conditions(*items: tuple[str, str, str]) -> str:
    lines = [
        f"  - field: {field}\n    operator: {operator}\n    pattern: {pattern}" for field, operator, pattern in items
    ]
    return "\n".join(["event: file", "conditions:", *lines])


@table(
    ("matter", "refusal"),
    [
        ("event: bash\nenabled: false\npattern: rm", "enabled is false."),
        ("event: stop\npattern: x", "event is stop: it fires at no call of a tool"),
        ("event: prompt\npattern: x", "event is prompt: it fires at no call of a tool"),
        ("event: all\npattern: x", "event is all: it fires at every event"),
        ("pattern: x", "event is all"),
        ("event: bash", "it has no pattern that could fire."),
        (conditions(("new_text", "not_contains", "x")), "it has no pattern that could fire."),
        (conditions(("new_text", "contains", "a"), ("content", "contains", "b")), "conditions has two for content"),
        (conditions(("file_path", "regex_match", r"a\d")), "which no glob can express."),
        (conditions(("transcript", "contains", "x")), "the field transcript, which a lesson does not look at."),
        (conditions(("new_text", "sounds_like", "x")), "the operator sounds_like, which is not supported."),
    ],
)
def test_what_a_lesson_cannot_stand_for_is_refused(matter: str, refusal: str, tmp_path: Path) -> None:
    assert refusal in rule(tmp_path, matter).refusal


@table("text", ["", "no front matter", "---\nname: x\n", "\x00" * 100])
def test_what_is_no_rule_is_one_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "hookify.x.local.md").write_text(text)
    with pytest.raises(Refused, match="it is not a hookify rule"):
        drafts(str(tmp_path / "hookify.x.local.md"))


def test_a_rule_without_words_is_refused(tmp_path: Path) -> None:
    assert "no message" in rule(tmp_path, "event: bash\npattern: rm", "").refusal


def test_a_rule_about_commands(tmp_path: Path) -> None:
    draft = rule(tmp_path, "enabled: true\nevent: bash\npattern: rm\\s+-rf\naction: block")
    assert (draft.place, draft.name) == ("hookify.my-rule.local.md", "my-rule")
    assert draft.document["problem"] == "Removing a whole tree cannot be undone."
    assert draft.document["solution"] == "Move it to a folder of its own and look at what is in it."
    assert draft.document["summary"] == "Removing a whole tree cannot be undone"
    assert draft.note.startswith("it blocks the call there")
    assert fires(draft.document, "cd /x && rm  -rf y")
    assert not fires(draft.document, "rm -r y")


def test_a_rule_about_files(tmp_path: Path) -> None:
    matter = conditions(
        ("file_path", "ends_with", ".env"), ("new_text", "contains", "KEY=("), ("content", "not_contains", "demo")
    )
    draft = rule(tmp_path, matter)
    assert draft.document["triggers"] == {
        "toolNames": ["Edit", "Write", "MultiEdit"],
        "pathPatterns": ["*.env"],
        "contentPatterns": [r"KEY=\("],
        "unless": ["demo"],
    }
    hit = {"tool": "Write", "path": "/shop/.env", "content": "KEY=(1)"}
    assert fires(draft.document, hit)
    assert not fires(draft.document, {**hit, "path": "/shop/env.py"})
    assert not fires(draft.document, {**hit, "content": "KEY=1"})
    assert not fires(draft.document, {**hit, "content": "KEY=( demo"})


@table(
    ("operator", "pattern", "command", "expected"),
    [
        ("contains", "Drop Table", "drop table x", False),  # only regexes ignore the case there
        ("starts_with", "RM", "rm x", False),
        ("equals", "Make", "make", False),
        ("regex_match", "drop table", "psql -c 'DROP TABLE x'", True),
        ("regex_match", "DROP|truncate", "psql -c 'drop table x'", True),
        ("regex_match", "(?s)rm.x", "RM\nx", True),
        ("regex_match", r"^\d+$", "12", True),
    ],
)
def test_regexes_ignore_the_case(operator: str, pattern: str, command: str, expected: bool, tmp_path: Path) -> None:
    matter = conditions(("command", operator, pattern)).replace("event: file", "event: bash")
    assert fires(rule(tmp_path, matter).document, command) is expected


def test_alternatives_of_a_path_become_several_globs(tmp_path: Path) -> None:
    draft = rule(tmp_path, conditions(("file_path", "regex_match", r"credentials|secrets|\.env$")))
    triggers = draft.document["triggers"]
    assert isinstance(triggers, dict) and triggers["pathPatterns"] == ["*credentials*", "*secrets*", "*.env"]
    assert draft.note == "it compares paths without their case there; here the case counts"
    assert fires(draft.document, {"tool": "Write", "path": "/shop/.env", "content": "x"})
    assert not fires(draft.document, {"tool": "Write", "path": "/shop/a.py", "content": "x"})


def test_a_message_of_one_sentence_is_the_solution(tmp_path: Path) -> None:
    draft = rule(tmp_path, "event: bash\npattern: rm", "**Ask** before anything is removed")
    assert draft.document["solution"] == "Ask before anything is removed"
    assert "my-rule" in str(draft.document["problem"])


def test_quotes_comments_and_short_lists_of_the_front_matter() -> None:
    matter = split(
        "---\nname: 'it''s'  \npattern: \"a\\\\b\"\nevent: bash # always\nconditions:\n"
        '  - {field: command, operator: contains, pattern: "x, y"}\n---\nbody'
    )
    assert matter is not None
    assert matter.values["name"] == "it's"
    assert matter.values["pattern"] == "a\\b"
    assert matter.values["event"] == "bash"
    assert matter.conditions == [Condition("command", "contains", "x, y")]
    assert matter.body == "body"


@given(st.text(alphabet="-: \n'\"{}#ab,", max_size=80))
def test_no_front_matter_is_too_strange(text: str) -> None:
    split("---\n" + text + "\n---\n")
