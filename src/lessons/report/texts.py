"""Shortens text of a transcript, a lesson or a log to one line that is safe to show; the page escapes it."""

from lessons.plain import without_hidden

_LONGEST_TEXT = 200


def one_line(text: str, longest: int = _LONGEST_TEXT) -> str:
    """Removes control and invisible characters, and cuts long text."""
    line = " ".join(without_hidden(text[: 8 * longest]).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
