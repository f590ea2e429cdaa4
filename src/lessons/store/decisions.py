"""The file `decisions.jsonl`: what a person decided about a lesson in, one line each out."""

from datetime import UTC, datetime

from lessons import paths
from lessons.store.append import append_line
from lessons.store.json_text import encode


def record(home: str, decision: str, slug: str, reason: str = "") -> None:
    """Append one decision; the file is only ever added to, so that it survives a rebuilt database."""
    line = {"time": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}", "decision": decision, "slug": slug}
    append_line(paths.decisions_file(home), encode({**line, "reason": reason} if reason else line))
