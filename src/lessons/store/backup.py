"""Makes daily dated copies of a file in the backups folder; removes the oldest ones."""

import os
import re
from datetime import date

from lessons.store import atomic

KEPT_BACKUPS = 14
_CHUNK = 1 << 20


def daily_copy(source: str, folder: str, today: date) -> str | None:
    """Copies the file unless today's copy exists; returns the path of the new copy."""
    name, extension = os.path.splitext(os.path.basename(source))
    copy = os.path.join(folder, f"{name}-{today.isoformat()}{extension}")
    if os.path.exists(copy):
        return None
    try:
        with open(source, "rb") as file:
            atomic.write_chunks(copy, iter(lambda: file.read(_CHUNK), b""))
    except FileNotFoundError:
        return None
    _prune(folder, re.compile(rf"{re.escape(name)}-\d{{4}}-\d\d-\d\d{re.escape(extension)}"))
    return copy


def _prune(folder: str, ours: re.Pattern[str]) -> None:
    copies = sorted(name for name in os.listdir(folder) if ours.fullmatch(name))
    for name in copies[:-KEPT_BACKUPS]:
        os.unlink(os.path.join(folder, name))
