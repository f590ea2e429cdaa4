"""docs/AGENTS.md agrees with what the end-to-end suites saw, and lists what is not supported."""

from pathlib import Path

from docs import agents_seen
from docs.agents_seen import Seen, document, kept, merged
from tests.e2e.rig import seen

CHECKED_IN = Path(__file__).parents[1] / "docs" / "AGENTS.md"


def test_the_page_has_not_drifted() -> None:
    assert CHECKED_IN.read_text(encoding="utf-8") == document(kept()), "run `make docs`"


def test_what_a_suite_notes_is_what_the_page_reads() -> None:
    assert seen.NOTES == agents_seen.NOTES


def test_no_row_of_an_older_client_stays() -> None:
    before = [Seen("a", "1", "E", "x", True), Seen("a", "1", "E", "y", True), Seen("b", "1", "E", "x", True)]
    assert merged(before, [Seen("a", "2", "E", "x", False)]) == [
        Seen("a", "2", "E", "x", False),
        Seen("b", "1", "E", "x", True),
    ]
    assert merged(before, [Seen("a", "1", "E", "x", False)])[0] == Seen("a", "1", "E", "x", False)
    assert merged(before, []) == sorted(before)


def test_what_is_not_honoured_stands_out() -> None:
    page = document([Seen("claude-code", "9", "PreToolUse", "a hint", False)])
    assert "## Claude Code 9" in page and "| PreToolUse | a hint | **no** |" in page
