"""The decision in progress: written before lessons.json is changed, removed when everything is written."""

import json
import os
from contextlib import suppress
from hashlib import sha256

import msgspec

from lessons import paths
from lessons.store import atomic
from lessons.store.decisions import Decision

# The fields that a step of a lesson changes, with the values that apply if they are missing.
_STATE: dict[str, object] = {"stage": "active", "block": False, "stopOnce": False, "triggers": {}}
_EVIDENCE = ("sourceSessionIds", "occurrenceCount", "examples")


class Unfinished(msgspec.Struct, rename="camel", frozen=True):
    """What to record once lessons.json has the lesson, or no longer has it, as intended."""

    decisions: list[Decision]
    lesson: str = ""  # its id; empty if lessons.json is not changed
    evidence: str = ""  # the digest of its evidence at the end; empty: it is removed
    state: str = ""  # for a step: the digest of its state at the end


def write(home: str, unfinished: Unfinished) -> None:
    atomic.write_bytes(paths.unfinished_file(home), msgspec.json.encode(unfinished))


def read(home: str) -> Unfinished | None:
    """Returns None if nothing is unfinished; a file that cannot be read was never started."""
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
    """Returns the part of a lesson that candidates add to; None for a missing key."""
    return {key: record.get(key) for key in _EVIDENCE}


def evidence_digest(record: dict[str, object]) -> str:
    return _digest(evidence_of(record))


def state_of(record: dict[str, object]) -> dict[str, object]:
    """Returns the part of a lesson that a step changes."""
    return {key: record[key] if record.get(key) is not None else default for key, default in _STATE.items()}


def state_digest(record: dict[str, object]) -> str:
    return _digest(state_of(record))


def record_digest(record: dict[str, object]) -> str:
    """Returns the same digest for an unchanged lesson, whenever it was written."""
    return _digest({key: value for key, value in record.items() if key != "updatedAt"})


def _digest(value: dict[str, object]) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
