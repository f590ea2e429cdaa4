"""The folder in which opencode stored its sessions before it had a database: one file per message and part."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from lessons.agents.base import Record
from lessons.agents.follow import Damaged
from lessons.agents.jsonl import storable
from lessons.agents.object_lines import Fields, inner, text
from lessons.agents.opencode.places import ENDING
from lessons.agents.opencode.session_records import Message, Parts, Session, is_number
from lessons.agents.whole import NotOurs, Piece, Snapshot
from lessons.store.faults import describe
from lessons.store.history.rows import FileState

_MOST_BYTES = 32 << 20


def is_session(path: str) -> bool:
    """Whether it is `storage/session/PROJECT/ses_….json`."""
    folder, name = os.path.split(path)
    return name.startswith("ses_") and name.endswith(ENDING) and os.path.dirname(folder).endswith("/storage/session")


def state(path: str) -> FileState:
    """Returns the state of the session with its messages and parts: total bytes, and the last write of any of them."""
    status = os.stat(path)
    size, modified = status.st_size, status.st_mtime_ns
    for _, message in _messages(path):
        for each in (message, *(entry for _, entry in _parts(path, message.name.removesuffix(ENDING)))):
            found = each.stat()
            size, modified = size + found.st_size, max(modified, found.st_mtime_ns)
    return FileState(status.st_ino, size, modified)


@contextmanager
def snapshot(path: str, all_texts: bool) -> Iterator[Snapshot]:
    before = state(path)
    given = _read(path)
    if given is None or not text(given, "id"):
        raise NotOurs(path)
    created = inner(given, "time").get("created")
    parent = text(given, "parentID")
    identity = (text(given, "id"), parent or text(given, "id"), text(given, "directory"), text(given, "title"))
    session = Session(*identity, text(given, "version"), int(float(str(created))) if is_number(created) else 0)
    yield Snapshot(before, _pieces(path, Parts(session, all_texts)))


def _pieces(path: str, parts: Parts) -> Iterator[Piece]:
    yield Piece((parts.title(),), 1)
    read = [(entry.name.removesuffix(ENDING), _read(entry.path) or {}) for _, entry in _messages(path)]
    for identifier, message in sorted(read, key=lambda each: (_created(each[1]), each[0])):
        records: list[Record | Damaged] = []
        size = 1
        for name, entry in _parts(path, identifier):
            size += entry.stat().st_size
            records += _record(parts, Message(identifier, message), name, entry.path)
        yield Piece(records, size)


def _record(parts: Parts, message: Message, name: str, path: str) -> list[Record | Damaged]:
    given = _read(path)
    if given is None:
        parts.number += 1
        return [Damaged(parts.number, os.path.getsize(path))]
    start = inner(given, "time").get("start")
    created = int(float(str(start))) if is_number(start) else _created(message.fields)
    try:
        record = parts.record(message, name, given, created)
    except Exception as fault:  # a bug must lose only its part
        return [Damaged(parts.number, 0, describe(fault))]
    return [record] if record else []


def _created(message: Fields) -> int:
    created = inner(message, "time").get("created")
    return int(float(str(created))) if is_number(created) else 0


def _messages(path: str) -> list[tuple[str, os.DirEntry[str]]]:
    return _entries(os.path.join(_storage(path), "message", os.path.basename(path).removesuffix(ENDING)))


def _parts(path: str, message: str) -> list[tuple[str, os.DirEntry[str]]]:
    return _entries(os.path.join(_storage(path), "part", message))


def _storage(path: str) -> str:
    return os.path.dirname(os.path.dirname(os.path.dirname(path)))


def _entries(folder: str) -> list[tuple[str, os.DirEntry[str]]]:
    """Sorts by name, which is by time."""
    try:
        with os.scandir(folder) as found:
            some = [(entry.name.removesuffix(ENDING), entry) for entry in found if entry.name.endswith(ENDING)]
    except FileNotFoundError:
        return []
    return sorted(some, key=lambda each: each[0])


def _read(path: str) -> Fields | None:
    """Returns None if it is not an object, for example while it is written."""
    with open(path, "rb") as file:
        data = file.read(_MOST_BYTES)
    try:
        found = storable(msgspec.json.decode(data))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
