"""Reads and writes one JSON document of the state; a damaged one counts as missing."""

import json
from typing import TypeVar

import msgspec

from lessons.store.project_state import files
from lessons.store.project_state.files import Damaged
from lessons.store.project_state.state_paths import StatePaths

Document = TypeVar("Document", bound=msgspec.Struct)


def read(paths: StatePaths, path: str, kind: type[Document]) -> Document | None:
    """Returns None if the file is missing or damaged: reading changes nothing, the next write sets it aside."""
    try:
        found = _look(paths, path, kind)
    except Damaged:
        return None
    return found[0] if found else None


def problem_in(paths: StatePaths, path: str, kind: type[msgspec.Struct]) -> str:
    """Returns what is wrong with the file; empty if nothing is."""
    try:
        _look(paths, path, kind)
    except Damaged as damage:
        return str(damage)
    return ""


def write(paths: StatePaths, path: str, value: msgspec.Struct, latest: str = "") -> None:
    """Writes the session's own file, then the same as the latest of the project; keeps unknown fields of the first.

    The caller holds the lock.
    """
    unknown = _cleared(paths, path, type(value))
    content = encoded({**as_document(value), **unknown}, indent=2)
    files.put(paths, path, content)
    if latest:
        _cleared(paths, latest, type(value))
        files.put(paths, latest, content)


def as_document(value: msgspec.Struct) -> dict[str, object]:
    """Returns the fields by their names in the file."""
    names = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
    return {name: getattr(value, field) for field, name in names}


def encoded(document: dict[str, object], indent: int | None = None) -> bytes:
    """Returns one line or many; half surrogate pairs, which a transcript or path may contain, become question marks."""
    separators = None if indent else (",", ":")
    text = json.dumps(document, ensure_ascii=False, indent=indent, separators=separators, default=as_document)
    return text.encode("utf-8", "replace") + b"\n"


def _cleared(paths: StatePaths, path: str, kind: type[msgspec.Struct]) -> dict[str, object]:
    """Sets a damaged file aside; returns the unknown fields of a valid one."""
    files.make_folders(paths, path)
    try:
        found = _look(paths, path, kind)
    except Damaged as damage:
        files.set_aside(paths, path, str(damage))
        return {}
    known = kind.__struct_encode_fields__
    return {name: value for name, value in found[1].items() if name not in known} if found else {}


def _look(paths: StatePaths, path: str, kind: type[Document]) -> tuple[Document, dict[str, object]] | None:
    content = files.read(paths, path)
    if content is None:
        return None
    try:
        raw = msgspec.json.decode(content, type=dict[str, object])
        return msgspec.convert(raw, kind), raw
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise Damaged(f"is not what it should be ({type(fault).__name__})") from None
