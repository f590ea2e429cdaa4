"""Reads the fields of a small state file, for a hook that must neither wait nor import much."""

from lessons.store.json_text import decode
from lessons.system import O_BINARY, system

LARGEST = 1 << 20
# Does not follow a link or wait for a pipe.
_FLAGS = system.O_RDONLY | O_BINARY | getattr(system, "O_NOFOLLOW", 0) | getattr(system, "O_NONBLOCK", 0)


def fields_of(path: str) -> dict[str, object]:
    """Returns no fields if it is missing, damaged, too large, or not a plain file: `lessons session` reports that."""
    try:
        file = system.open(path, _FLAGS)
        try:
            status = system.fstat(file)
            if status.st_mode & 0o170000 != 0o100000 or status.st_size > LARGEST:
                return {}
            value = decode(_all(file).decode("utf-8"))
        finally:
            system.close(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def text(fields: dict[str, object], name: str) -> str:
    """Returns a field as text; empty if missing or of another type."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def number(fields: dict[str, object], name: str) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) else 0


def _all(file: int) -> bytes:
    pieces, size = [], 0
    while size <= LARGEST and (piece := system.read(file, 1 << 16)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)
