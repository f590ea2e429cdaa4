"""A file of JSON lines: reads records, appends new ones and drops the oldest when there are too many."""

import os
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

import msgspec

from lessons.store.project_state import documents, files
from lessons.store.project_state.files import Damaged
from lessons.store.project_state.state_paths import StatePaths

MOST_LINES = 500
KEPT_LINES = 300
_APPENDING = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)

Record = TypeVar("Record", bound=msgspec.Struct)


class Line(NamedTuple, Generic[Record]):
    """A line as written, and its record."""

    text: bytes
    record: Record


def read(paths: StatePaths, path: str, kind: type[Record]) -> list[Record]:
    """Returns the records, oldest first; skips lines that are cut off or of another kind."""
    try:
        return [line.record for line in sound_lines(files.read(paths, path) or b"", kind)]
    except Damaged:
        return []


def problem_in(paths: StatePaths, path: str, kind: type[msgspec.Struct]) -> str:
    """Returns what is wrong with the file; empty if nothing is."""
    try:
        content = files.read(paths, path) or b""
    except Damaged as damage:
        return f"{damage}: it counts as empty"
    unreadable = _count(content) - len(sound_lines(content, kind))
    if unreadable == 1:
        return "has 1 unreadable line, which is passed over"
    return f"has {unreadable} unreadable lines, which are passed over" if unreadable else ""


def add(
    paths: StatePaths,
    path: str,
    records: Sequence[Record],
    key: Callable[[Record], str | None],
    document_of: Callable[[Record], dict[str, object]] = documents.as_document,
    rotates: bool = True,
) -> int:
    """Returns how many were new, compared by their key or else by the whole line. The caller holds the lock."""
    if not records:
        return 0
    kind = type(records[0])
    lines = [documents.encoded(document_of(record)) for record in records]
    return add_lines(paths, path, sound_lines(b"".join(lines), kind), kind, key, rotates)


def add_lines(
    paths: StatePaths,
    path: str,
    lines: Sequence[Line[Record]],
    kind: type[Record],
    key: Callable[[Record], str | None],
    rotates: bool = True,
) -> int:
    """Adds lines as they are written in another file."""
    content = _cleared(paths, path)
    there = sound_lines(content, kind)
    known = {key(line.record) or line.text for line in there}
    new = []
    for line in lines:
        name = key(line.record) or line.text
        if name not in known:
            known.add(name)
            new.append(line)
    if not new:
        return 0
    full = rotates and _count(content) + len(new) > MOST_LINES
    if full or not content:
        # One write does both, so that a kill cannot come between a full file and its newest lines.
        kept = [*there, *new][-KEPT_LINES if full else 0 :]
        files.put(paths, path, b"".join(line.text + b"\n" for line in kept))
    else:
        # Starts a new line after one that a crash cut off.
        torn = not content.endswith(b"\n")
        _append(path, b"\n" * torn + b"".join(line.text + b"\n" for line in new))
    return len(new)


def sound_lines(content: bytes, kind: type[Record]) -> list[Line[Record]]:
    decoder = msgspec.json.Decoder(kind)
    found = []
    for text in content.split(b"\n"):
        try:
            found.append(Line(text, decoder.decode(text)))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
    return found


def _count(content: bytes) -> int:
    return sum(1 for text in content.split(b"\n") if text.strip())


def _cleared(paths: StatePaths, path: str) -> bytes:
    files.make_folders(paths, path)
    try:
        return files.read(paths, path) or b""
    except Damaged as damage:
        files.set_aside(paths, path, str(damage))
        return b""


def _append(path: str, content: bytes) -> None:
    descriptor = os.open(path, _APPENDING)
    try:
        while content:
            content = content[os.write(descriptor, content) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
