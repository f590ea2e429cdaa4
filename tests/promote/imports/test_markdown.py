"""Bullets of a CLAUDE.md: what is no rule is left alone, each rule becomes a note with its line."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.errors import NotFound, Refused
from lessons.promote.imports.review import Draft
from lessons.promote.imports.rules import _bullets, markdown_drafts
from tests.tables import table

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
