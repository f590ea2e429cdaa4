"""FORMAT.md names exactly the types of lines that the reader knows."""

from pathlib import Path

from lessons.agents.codex import transcript
from lessons.agents.codex.transcript import HANDLERS, SILENT
from tests.agents.claude_code.test_format import types_under
from tests.tables import table

TEXT = Path(transcript.__file__).with_name("FORMAT.md").read_text(encoding="utf-8")


@table(("heading", "known"), [("Lines that are read", HANDLERS.keys()), ("Lines that are skipped", SILENT)])
def test_every_type_is_named_once(heading: str, known: set[str]) -> None:
    assert sorted(types_under(heading, TEXT)) == sorted(known)


def test_it_stays_short() -> None:
    assert len(TEXT.splitlines()) <= 90
