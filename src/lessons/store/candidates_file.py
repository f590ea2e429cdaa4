"""`cross-project-candidates.json`: exports the candidates for outside programs; nothing reads it back."""

import os
import time
from contextlib import suppress
from datetime import UTC, datetime

import msgspec

from lessons import paths
from lessons.store import atomic


def write(home: str, candidates: list[dict[str, object]], now: float | None = None) -> bool:
    """Writes the file only if anything but the time would change; returns whether it did."""
    path = paths.candidates_file(home)
    moment = datetime.fromtimestamp(time.time() if now is None else now, UTC)
    document = {"generatedAt": f"{moment:%Y-%m-%dT%H:%M:%SZ}", "candidates": candidates}
    content = msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"
    if _without_time(_written(path)) == _without_time(content):
        return False
    return atomic.write_bytes(path, content)


def remove(home: str) -> None:
    """Deletes the file, because data was forgotten or is stale; the next scan writes it again."""
    with suppress(FileNotFoundError):
        os.unlink(paths.candidates_file(home))


def _written(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _without_time(content: bytes) -> bytes:
    """Returns everything but the line of `generatedAt`, which is the second one."""
    return content.split(b"\n", 2)[-1]
