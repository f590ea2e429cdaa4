"""Appends a line to a file in one write, so that the lines of parallel processes stay whole."""

from lessons.system import O_BINARY, system


def append_line(path: str, line: str) -> None:
    """Raises OSError where the file cannot be written: the caller decides what that means."""
    file = system.open(path, system.O_WRONLY | system.O_APPEND | system.O_CREAT | O_BINARY, 0o600)
    try:
        system.write(file, line.encode("utf-8", "replace") + b"\n")
    finally:
        system.close(file)
