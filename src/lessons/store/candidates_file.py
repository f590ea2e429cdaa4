"""`cross-project-candidates.json`: exports the candidates for outside programs; nothing reads it back."""

import os
import time
from contextlib import suppress
from datetime import UTC, datetime

import msgspec

from lessons import paths
from lessons.store import atomic


def write(home: str, candidates: list[dict[str, object]], now: float | None = None) -> bool:
    """Written where anything but the time would change; True if it was."""
    path = paths.candidates_file(home)
    if _written(path) == candidates:
        return False
    moment = datetime.fromtimestamp(time.time() if now is None else now, UTC)
    document = {"generatedAt": f"{moment:%Y-%m-%dT%H:%M:%SZ}", "candidates": candidates}
    return atomic.write_bytes(path, msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n")


def remove(home: str) -> None:
    """Deletes the file, because data was forgotten or is out of date; the next scan writes it again."""
    with suppress(FileNotFoundError):
        os.unlink(paths.candidates_file(home))


def _written(path: str) -> object:
    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(), type=dict[str, object]).get("candidates")
    except (OSError, msgspec.MsgspecError):
        return None
