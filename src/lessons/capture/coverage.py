"""Counts what a scan read, so that "nothing read" never looks like "nothing found"."""

from typing import TYPE_CHECKING

import msgspec

from lessons.store.history.row_numbers import RowNumbers
from lessons.store.history.rows import Batch, Tally
from lessons.store.history.writer import Written

if TYPE_CHECKING:
    from lessons.capture.mine import Changed

OUTCOMES = ("ok", "failed", "refused", "cancelled", "interrupted", "unknown")


class Files(msgspec.Struct):
    """How many transcripts there were, and what happened to each."""

    found: int = 0
    read: int = 0
    unchanged: int = 0
    unreadable: int = 0
    foreign: int = 0  # of another agent


class Coverage(msgspec.Struct, rename="camel"):
    """The counts of one scan."""

    files: Files = msgspec.field(default_factory=Files)
    agents: dict[str, int] = msgspec.field(default_factory=dict)  # how many files of each were read
    bytes: int = 0
    records: int = 0
    malformed: int = 0
    duplicates: int = 0
    unknown_types: dict[str, int] = msgspec.field(default_factory=dict)
    calls: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(("total", *OUTCOMES), 0))
    segments: int = 0
    left_out: int = 0  # records that the user excluded from the history
    new_candidates: set[str] = msgspec.field(default_factory=set)
    updated_candidates: set[str] = msgspec.field(default_factory=set)
    recurring_candidates: set[str] = msgspec.field(default_factory=set)  # of both: now in several sessions
    sessions: set[str] = msgspec.field(default_factory=set)  # mentioned in the new records
    call_numbers: RowNumbers = msgspec.field(default_factory=RowNumbers)  # of the calls in the new records
    unreadable: set[str] = msgspec.field(default_factory=set)  # paths
    failed_segments: int = 0  # with a record that gave no rows
    mined: bool = False  # whether any session was mined
    problems: list[str] = msgspec.field(default_factory=list)  # a sentence for every file that could not be read
    seconds: float = 0.0

    @property
    def has_news(self) -> bool:
        """Whether the candidates may have changed."""
        return bool(self.files.read or self.mined)

    def merge(self, other: "Coverage") -> None:
        """Adds the counts of another read; both may include the same file."""
        for name in Files.__struct_fields__:
            setattr(self.files, name, getattr(self.files, name) + getattr(other.files, name))
        for name in (
            "bytes",
            "records",
            "malformed",
            "duplicates",
            "segments",
            "left_out",
            "failed_segments",
            "seconds",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for own, added in (
            (self.agents, other.agents),
            (self.unknown_types, other.unknown_types),
            (self.calls, other.calls),
        ):
            for name, number in added.items():
                own[name] = own.get(name, 0) + number
        for name in ("sessions", "call_numbers", "unreadable", "new_candidates", "updated_candidates"):
            getattr(self, name).update(getattr(other, name))
        self.problems += other.problems

    def file_read(self, agent: str) -> None:
        """Counts a transcript of this agent that was read to its end."""
        self.files.read += 1
        self.agents[agent] = self.agents.get(agent, 0) + 1

    def pass_over(self, batch: Batch) -> None:
        """Counts a batch of which nothing was stored."""
        self.bytes += batch.end - batch.start
        self._count(batch.tally)
        self._count(batch.unfinished)

    def add(self, batch: Batch, written: Written) -> None:
        self.bytes += batch.end - batch.start
        self.duplicates += written.duplicates
        self.segments += len(batch.segments)
        self.sessions.update(batch.sessions)
        self.failed_segments += len({number for number, _ in batch.failed})
        self.new_candidates |= written.new_candidates
        self.updated_candidates |= written.updated_candidates
        self._count(batch.tally)
        self._count(batch.unfinished)

    def count_outcomes(self, outcomes: dict[str, int]) -> None:
        """Sets the number of calls for each outcome."""
        self.calls = {"total": sum(outcomes.values()), **{name: outcomes.get(name, 0) for name in OUTCOMES}}

    def mined_candidates(self, changed: "Changed") -> None:
        """Adds the candidates that mining made."""
        self.new_candidates |= changed.new
        self.updated_candidates |= changed.updated
        self.recurring_candidates |= changed.recurring
        self.mined = True

    def _count(self, tally: Tally) -> None:
        self.records += tally.records
        self.malformed += tally.malformed
        self.left_out += tally.left_out
        for name, number in tally.unknown_types.items():
            self.unknown_types[name] = self.unknown_types.get(name, 0) + number

    def document(self) -> dict[str, object]:
        """Returns the JSON document for other programs."""
        return {
            "files": msgspec.to_builtins(self.files),
            "agents": {name: {"read": number} for name, number in sorted(self.agents.items())},
            "bytes": self.bytes,
            "records": self.records,
            "malformed": self.malformed,
            "duplicates": self.duplicates,
            "unknownTypes": dict(sorted(self.unknown_types.items())),
            "calls": self.calls,
            "segments": self.segments,
            "leftOut": self.left_out,
            "candidates": {
                "new": len(self.new_candidates),
                "updated": len(self.updated_candidates - self.new_candidates),
            },
            "seconds": round(self.seconds, 3),
        }
