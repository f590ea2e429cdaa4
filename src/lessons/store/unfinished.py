"""The decision in progress: written before lessons.json is changed, removed when everything is written."""

import json
import os
from contextlib import suppress
from hashlib import sha256

import msgspec

from lessons import paths
from lessons.store import atomic
from lessons.store.decisions import Decision

# What a step in the life of a lesson changes, each with what its absence means.
_STATE: dict[str, object] = {"stage": "active", "block": False, "stopOnce": False, "triggers": {}}
_EVIDENCE = ("sourceSessionIds", "occurrenceCount", "examples")


class Unfinished(msgspec.Struct, rename="camel", frozen=True):
    """What is to be written down once the lesson is in lessons.json, or is gone from there, as it should be."""

    decisions: list[Decision]
    lesson: str = ""  # its id; empty where lessons.json is not touched
    evidence: str = ""  # the digest of its evidence when all is done; empty: it is gone
    state: str = ""  # of a step in its life: the digest of its state when all is done


def write(home: str, unfinished: Unfinished) -> None:
    atomic.write_bytes(paths.unfinished_file(home), msgspec.json.encode(unfinished))


def read(home: str) -> Unfinished | None:
    """None if nothing was left unfinished; what cannot be read was never begun."""
    try:
        with open(paths.unfinished_file(home), "rb") as file:
            return msgspec.json.decode(file.read(), type=Unfinished)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def exists(home: str) -> bool:
    return os.path.exists(paths.unfinished_file(home))


def remove(home: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(paths.unfinished_file(home))


def evidence_of(record: dict[str, object]) -> dict[str, object]:
    """The part of a lesson that candidates add to; None if it has no such key."""
    return {key: record.get(key) for key in _EVIDENCE}


def evidence_digest(record: dict[str, object]) -> str:
    return _digest(evidence_of(record))


def state_of(record: dict[str, object]) -> dict[str, object]:
    """The part of a lesson that a step in its life changes."""
    return {key: record[key] if record.get(key) is not None else default for key, default in _STATE.items()}


def state_digest(record: dict[str, object]) -> str:
    return _digest(state_of(record))


def record_digest(record: dict[str, object]) -> str:
    """The same for a lesson that nobody has changed, whenever it was written."""
    return _digest({key: value for key, value in record.items() if key != "updatedAt"})


def _digest(value: dict[str, object]) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
