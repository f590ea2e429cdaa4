"""Turns a lesson reported by an agent into a candidate with its origin; never into a lesson."""

from typing import NamedTuple

from lessons.candidate import REPORT, Occurrence
from lessons.promote.imports.draft import Draft, first_sentence, short_name
from lessons.promote.imports.review import REFUSED, Desk, Line, Redact
from lessons.promote.imports.sources import Source
from lessons.promote.queue.queue import export
from lessons.promote.slow_regex.memory import remembering
from lessons.store import lesson_file
from lessons.store.history.history import History


class Provenance(NamedTuple):
    """Who reported it, in which session, about which project, and when."""

    agent: str
    session: str
    project: str
    time: str


def report(home: str, document: dict[str, object], by: Provenance, redact: Redact) -> Line:
    """Stores the report as a candidate; an existing one gets another occurrence."""
    problem = str(document["problem"])
    draft = Draft("reported over MCP", short_name(problem), {"summary": first_sentence(problem), **document})
    source = Source(by.agent, "", [draft])
    with remembering(home), History.opened(home) as history, history.transaction():
        desk = Desk(lesson_file.read(home).lessons(), history.candidates.statuses_of(REPORT), redact, REPORT)
        line = desk.judge(source, draft)
        if line.result != REFUSED and line.fingerprint:
            seen = Occurrence(by.session, by.session, "", "", by.project, by.time, "")
            history.candidates.add_reported(desk.rows, line.fingerprint, seen)
    export(home)
    return line
