"""A growing transcript in, the rows from reading it repeatedly out, as a history would store them."""

from collections import Counter
from pathlib import Path

import msgspec

from lessons.agents.claude_code.transcript import Transcripts
from lessons.scan.project import Projects
from lessons.scan.read import NotRead, batches
from lessons.scan.workers import Known, Reason
from lessons.store.consent import Consent
from lessons.store.history.rows import Batch, Call, Result


class Rows(msgspec.Struct):
    """What all batches of one file come to; rows with the same name are one."""

    calls: dict[str, Call] = msgspec.field(default_factory=dict)
    results: dict[str, Result] = msgspec.field(default_factory=dict)
    named: dict[tuple[str, int], object] = msgspec.field(default_factory=dict)
    marks: set[bytes] = msgspec.field(default_factory=set)
    segments: dict[int, tuple[str, str, int]] = msgspec.field(default_factory=dict)
    damaged: set[tuple[int, int]] = msgspec.field(default_factory=set)
    known: Counter[int] = msgspec.field(default_factory=Counter)
    records: int = 0
    malformed: int = 0
    unknown_types: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, batch: Batch) -> None:
        self.calls |= {row.tool_use_id: row for row in batch.calls}
        self.results |= {row.tool_use_id: _believed(row, self.calls.get(row.tool_use_id)) for row in batch.results}
        for kind, rows in (
            ("prompt", batch.prompts),
            ("context", batch.contexts),
            ("tag", batch.tags),
            ("diagnosis", batch.diagnoses),
        ):
            self.named |= {(kind, row.key): row for row in rows}
        self.marks |= {msgspec.json.encode(mark) for mark in [*batch.task_ends, *batch.interrupts]}
        self.segments |= {row.number: (row.key, row.boundary_uuid, row.start) for row in batch.segments}
        self.damaged |= set(batch.damaged)
        self.known.update(batch.known)
        self.records += batch.tally.records
        self.malformed += batch.tally.malformed
        self.unknown_types.update(batch.tally.unknown_types)


def _believed(result: Result, call: Call | None) -> Result:
    """As the history does: a success that reads like a failure is believed where the command cannot hide one."""
    if result.outcome == "ok" and call and not call.hides_exit:
        return msgspec.structs.replace(result, error="", error_fingerprint="", suspicious=False)
    return result


class Reading:
    """Reads a file on each call from where it ended, and from its beginning where it was replaced."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known = Known()
        self.rows = Rows()
        self.replaced = 0
        self.last: Batch | None = None

    def __call__(self) -> Rows:
        try:
            self._read()
        except NotRead as fault:
            if fault.reason == Reason.REPLACED:
                self.replaced += 1
                self.known = Known()
                return self()
            if fault.reason != Reason.UNCLEAR:
                raise
        return self.rows

    def _read(self) -> None:
        for batch in batches(Transcripts(), str(self.path), self.known, Projects(), Consent()):
            self.rows.add(batch)
            self.known = Known(batch.end, batch.head, batch.tail, batch.memory)
            self.last = batch

    def grow(self, data: bytes) -> Rows:
        with self.path.open("ab") as file:
            file.write(data)
        return self()


def rows_of(path: Path, data: bytes) -> Rows:
    """The file read in one go."""
    path.write_bytes(data)
    return Reading(path)()
