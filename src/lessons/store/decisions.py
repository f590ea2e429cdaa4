"""The file `decisions.jsonl`: one line per decision of the user; for candidates also the current state."""

import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from lessons import paths
from lessons.candidate import WAITING
from lessons.store.append import append_line
from lessons.store.json_text import encode
from lessons.store.lock import locked
from lessons.system import O_BINARY, read_at

if TYPE_CHECKING:
    from lessons.store.history.history import History

# `tended`: a change of a lesson's state; `kept`: the user declined one. Both have no candidate.
Action = Literal["promoted", "archived", "merged", "undone", "tended", "kept"]
BEGINNING = b'{"time":'


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
    digest: str = ""  # of the lesson, or of its evidence, after the decision
    before: dict[str, object] = {}  # the evidence of the lesson before the merge, or its state before the step


def now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


class Note(msgspec.Struct, frozen=True):
    """A line about a lesson that is not a decision about a candidate: archived, muted, good, starterDeclined."""

    time: str
    decision: str
    slug: str
    reason: str = ""


def notes(home: str) -> list[Note]:
    """Returns every line about a lesson alone, oldest first."""
    return _notes_in(_lines(home))


def notes_after(home: str, decision_id: str) -> list[Note]:
    """Returns the lines about a lesson alone after the decision with this id; all of them if there is none."""
    lines = _lines(home)
    mark = f'"id":"{decision_id}"'.encode()
    places = [number for number, line in enumerate(lines) if decision_id and mark in line]
    return _notes_in(lines[places[0] + 1 :] if places else lines)


def _notes_in(lines: Sequence[bytes]) -> list[Note]:
    found = []
    for line in lines:
        if b'"fingerprint"' not in line:
            with suppress(msgspec.MsgspecError, UnicodeDecodeError):
                found.append(msgspec.json.decode(line[max(line.rfind(BEGINNING), 0) :], type=Note))
    return found


def record(home: str, decision: str, slug: str, reason: str = "") -> Note:
    """Appends a decision about a lesson; only `lessons forget` ever removes a line."""
    note = Note(now(), decision, slug, reason)
    line = {"time": note.time, "decision": decision, "slug": slug}
    with locked(paths.decisions_file(home)):
        append_line(paths.decisions_file(home), encode({**line, "reason": reason} if reason else line))
    return note


def append(home: str, decisions: Sequence[Decision]) -> None:
    """Appends decisions and syncs them to disk; skips those already in the file."""
    known = {each.id for each in read(home)}
    lines = [msgspec.json.encode(each) for each in decisions if each.id not in known]
    path = paths.decisions_file(home)
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | O_BINARY, 0o600)
    try:
        size = os.fstat(file).st_size
        # Starts a new line after one that a crash cut off.
        torn = size > 0 and read_at(file, 1, size - 1) != b"\n"
        if lines:
            os.write(file, (b"\n" if torn else b"") + b"\n".join(lines) + b"\n")
        os.fsync(file)
    finally:
        os.close(file)


def read(home: str) -> list[Decision]:
    """Returns every decision about a candidate, oldest first; skips damaged lines and those of other kinds."""
    found = []
    for line in _lines(home):
        if b'"fingerprint"' not in line:
            continue
        try:
            found.append(msgspec.json.decode(line[max(line.rfind(BEGINNING), 0) :], type=Decision))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
    return found


def _lines(home: str) -> list[bytes]:
    try:
        with open(paths.decisions_file(home), "rb") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def standing(decisions: Sequence[Decision]) -> list[Decision]:
    """Returns those that were not undone, oldest first."""
    undone = {each.undoes for each in decisions if each.action == "undone"}
    return [each for each in decisions if each.action != "undone" and each.id not in undone]


def statuses(home: str) -> dict[str, str]:
    """Returns the present status of each candidate that was decided: promoted, archived or merged."""
    return {each.fingerprint: each.action for each in standing(read(home)) if each.fingerprint}


def apply(history: "History") -> None:
    """Sets the status of every candidate that was ever decided."""
    everything = [each for each in read(history.home) if each.fingerprint]
    decided = dict.fromkeys((each.fingerprint for each in everything), WAITING)
    decided |= {each.fingerprint: each.action for each in standing(everything)}
    wrong = []
    for candidate in history.candidates.standing():
        # A candidate is named after its first occurrence; it may have been decided under another of its names.
        found = [decided[name] for name in candidate.names if name in decided]
        today = next((status for status in found if status != WAITING), WAITING) if found else candidate.status
        if today != candidate.status:
            wrong.append((candidate.fingerprint, today))
    if wrong:
        with history.transaction():
            history.candidates.decide(wrong)
