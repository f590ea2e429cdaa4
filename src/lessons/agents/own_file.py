"""Reads a file whose path came from outside: only a regular file that belongs to the user."""

from lessons.system import O_BINARY, read_at, system


def read_own_file(path: str, position: int, most: int) -> bytes:
    """Returns the content from a position on; raises ValueError or OSError if it may not be read."""
    return _read(path, position, most)


def read_end(path: str, most: int) -> bytes:
    """Returns the last bytes, at most `most`; raises the same errors."""
    return _read(path, None, most)


def _read(path: str, position: int | None, most: int) -> bytes:
    if not _is_own_file(system.stat(path)):
        raise ValueError("not a file of the user")
    file = system.open(path, system.O_RDONLY | getattr(system, "O_NONBLOCK", 0) | O_BINARY)
    try:
        status = system.fstat(file)
        if not _is_own_file(status):
            raise ValueError("not a file of the user")
        return read_at(file, most, max(0, status.st_size - most) if position is None else position)
    finally:
        system.close(file)


def _is_own_file(status: "system.stat_result") -> bool:
    mine = not hasattr(system, "getuid") or status.st_uid == system.getuid()
    return mine and status.st_mode & 0o170000 == 0o100000
