"""The file `decisions.jsonl`: one line per decision of the user; for candidates also the current state."""

import json
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from lessons import paths
from lessons.candidate import WAITING
from lessons.errors import DamagedFile
from lessons.started_by import agent_around
from lessons.store import files, lesson_file
from lessons.store.files import locked
from lessons.store.logs import event_bytes
from lessons.system import O_BINARY, read_at

if TYPE_CHECKING:
    from lessons.store.history.history import History

# `tended`: a change of a lesson's state; `kept`: the user declined one. Both have no candidate.
Action = Literal["promoted", "archived", "merged", "undone", "tended", "kept"]
Kind = TypeVar("Kind", bound=msgspec.Struct)
_PROMOTED: Literal["promoted"] = "promoted"
# The values that apply if a field that a step changes is missing.
_DEFAULTS: dict[str, object] = {"stage": "active", "block": False, "stopOnce": False, "triggers": {}}
IMPORTED = "imported"  # a note: the lesson was taken over from another system
_EVIDENCE = ("sourceSessionIds", "occurrenceCount", "fingerprints", "examples")
# What a scan raises, and when that was: no change of a person.
_COUNTED = ("sourceSessionIds", "occurrenceCount", "updatedAt")


class Decision(msgspec.Struct, rename="camel", frozen=True, kw_only=True, omit_defaults=True):
    """One decision about a candidate, or a step of a lesson.

    The time comes first: after a line that a crash cut off, the next line is found by it.
    """

    time: str
    id: str  # a ULID; for a promotion also the id of its lesson
    action: Action = msgspec.field(name="decision")
    fingerprint: str
    slug: str = ""
    reason: str = ""
    forced: bool = False
    undoes: str = ""  # the id of a decision
    part_of: str = ""  # the id of the promotion that included this candidate
    lesson: str = ""  # the id of the lesson that got the evidence, or that made a step
    step: str = ""  # of a lesson: activate, stop-once, hint, shadow, retire, new-trigger
    digest: str = ""  # of the lesson, or of its evidence, after the decision; empty if a part of that was forgotten
    by: str = ""  # the agent that ran the verb; empty for the user
    before: dict[str, object] = {}  # the evidence of the lesson before the merge, or its state before the step


def now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line about a lesson that is not a decision about a candidate: archived, muted, good, starterDeclined."""

    time: str
    decision: str
    slug: str
    reason: str = ""
    by: str = ""  # the agent that ran the verb; empty for the user


def notes(home: str, after: str = "") -> list[Note]:
    """Returns the lines about a lesson alone, oldest first: those after the decision `after`, if there is one."""
    lines = files.lines(paths.decisions_file(home))
    mark = f'"id":"{after}"'.encode()
    places = [number for number, line in enumerate(lines) if after and mark in line]
    lines = lines[places[0] + 1 :] if places else lines
    return [note for line in lines if b'"fingerprint"' not in line and (note := _decoded(line, Note))]


def record(home: str, decision: str, slug: str, reason: str = "") -> Note:
    """Appends a decision about a lesson; only `lessons forget` ever removes a line."""
    note = Note(now(), decision, slug, reason.encode(errors="replace").decode())  # it may have bytes that are no text
    with locked(paths.decisions_file(home)):
        _append_lines(home, [note])
    return note


def append(home: str, decisions: Sequence[Decision]) -> None:
    """Appends decisions and syncs them to disk; skips those already in the file."""
    known = {each.id for each in read(home)}
    _append_lines(home, [each for each in decisions if each.id not in known])


def _append_lines(home: str, records: Sequence[Decision | Note]) -> None:
    if agent := agent_around(os.environ):
        records = [msgspec.structs.replace(each, by=agent) for each in records]
    file = os.open(paths.decisions_file(home), os.O_RDWR | os.O_APPEND | os.O_CREAT | O_BINARY, 0o600)
    try:
        size = os.fstat(file).st_size
        # Starts a new line after one that a crash cut off.
        torn = size > 0 and read_at(file, 1, size - 1) != b"\n"
        if records:
            os.write(file, b"\n" * torn + b"".join(msgspec.json.encode(each) + b"\n" for each in records))
        os.fsync(file)
    finally:
        os.close(file)


def read(home: str) -> list[Decision]:
    """Returns every decision about a candidate, oldest first; skips damaged lines and those of other kinds."""
    lines = files.lines(paths.decisions_file(home))
    return [each for line in lines if b'"fingerprint"' in line and (each := _decoded(line, Decision))]


def _decoded(line: bytes, kind: type[Kind]) -> Kind | None:
    """Returns the last decision that begins in the line: a crash may have cut off one before."""
    try:
        return msgspec.json.decode(event_bytes(line), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def standing(decisions: Sequence[Decision]) -> list[Decision]:
    undone = {each.undoes for each in decisions if each.action == "undone"}
    return [each for each in decisions if each.action != "undone" and each.id not in undone]


def statuses(home: str) -> dict[str, str]:
    """Returns the present status of each candidate that was decided: promoted, archived or merged.

    Raises DamagedFile if lessons.json is: a candidate is promoted if a lesson names it, whatever a line says.
    """
    decided = {each.fingerprint: each.action for each in standing(read(home)) if each.fingerprint}
    found = {name: "archived" for name, action in decided.items() if action == "archived"}
    for name in lesson_by_fingerprint(home):
        found[name] = "merged" if decided.get(name) == "merged" else _PROMOTED
    return found


def lesson_by_fingerprint(home: str) -> dict[str, str]:
    """Returns the id of the lesson that names each candidate; raises DamagedFile if lessons.json is.

    A lesson of an earlier version names none: what became of its candidates is in the decisions.
    """
    file = lesson_file.read(home)
    found: dict[str, str] = {}
    silent: set[str] = set()
    for record in file.records:
        lesson, names = (record.get("id"), record.get("fingerprints")) if isinstance(record, dict) else (None, None)
        if isinstance(names, list):
            found |= {name: str(lesson) for name in names if isinstance(name, str)}
        else:
            silent.add(str(lesson))
    for decision in standing(read(home)) if silent else ():
        lesson = decision.lesson or decision.part_of or decision.id
        if decision.action in ("promoted", "merged") and lesson in silent:
            found.setdefault(decision.fingerprint, lesson)
    return found


def apply(history: "History") -> None:
    """Sets the status of every candidate that was ever decided, or that a lesson names."""
    if changes := changed_statuses(history):
        with history.transaction():
            history.candidates.decide(changes)


def changed_statuses(history: "History") -> list[tuple[str, str]]:
    """Returns the candidates with another status than the history says; none if lessons.json is damaged."""
    try:
        decided = statuses(history.home)
    except DamagedFile:
        return []
    ever = {each.fingerprint for each in read(history.home)}
    changed = []
    for candidate in history.candidates.standing():
        # A candidate is named after its first occurrence; it may have been decided under another of its names.
        today = next((decided[name] for name in candidate.names if name in decided), "")
        is_free = candidate.status != "archived" or not ever.isdisjoint(candidate.names)
        today = today or (WAITING if is_free else candidate.status)
        if today != candidate.status:
            changed.append((candidate.fingerprint, today))
    return changed


# Digests by which a decision knows its lesson again.


def evidence_of(record: dict[str, object]) -> dict[str, object]:
    """Returns the part of a lesson that candidates add to; None for a missing key."""
    return {key: record.get(key) for key in _EVIDENCE}


def evidence_digest(record: dict[str, object]) -> str:
    return _digest({key: value for key, value in evidence_of(record).items() if key not in _COUNTED})


def state_of(record: dict[str, object], keys: Iterable[str]) -> dict[str, object]:
    """Returns the part of a lesson that a step changes."""
    return {key: record[key] if record.get(key) is not None else _DEFAULTS.get(key) for key in keys}


def state_digest(record: dict[str, object], keys: Iterable[str]) -> str:
    return _digest(state_of(record, keys))


def record_digest(record: dict[str, object]) -> str:
    """Returns the same digest for an unchanged lesson, whenever it was written and however often it was seen since."""
    return _digest({key: value for key, value in record.items() if key not in _COUNTED})


def _digest(value: dict[str, object]) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
