"""FORMAT.md names exactly the types of lines that the reader knows."""

import re
from pathlib import Path

from lessons.agents.claude_code import transcript
from lessons.agents.claude_code.messages import HANDLERS
from tests.tables import table

TEXT = Path(transcript.__file__).with_name("FORMAT.md").read_text(encoding="utf-8")


def types_under(heading: str, text: str) -> list[str]:
    """The types in the first column of the table in a section."""
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [
        name for row in re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE) for name in re.findall(r"`([^`]+)`", row)
    ]


@table(("heading", "known"), [("Lines that are read", HANDLERS.keys()), ("Lines that are skipped", transcript.SILENT)])
def test_every_type_is_named_once(heading: str, known: set[str]) -> None:
    named = types_under(heading, TEXT)
    assert sorted(named) == sorted(known)


@table("name", ["compact_boundary", "stop_hook_summary", "popAll", "hook_additional_context", "queued_command"])
def test_the_kinds_of_lines_that_have_kinds(name: str) -> None:
    source = Path(transcript.__file__).with_name("messages.py").read_text(encoding="utf-8")
    assert f'"{name}"' in source
    assert f"`{name}`" in TEXT


def test_it_stays_short() -> None:
    assert len(TEXT.splitlines()) <= 90
