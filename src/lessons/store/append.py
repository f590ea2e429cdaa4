"""Appends a line to a file in one write, so that lines of parallel processes are never mixed."""

from lessons.system import O_BINARY, system


def append_line(path: str, line: str) -> None:
    """Raises OSError if the file cannot be written: the caller decides what that means."""
    file = system.open(path, system.O_WRONLY | system.O_APPEND | system.O_CREAT | O_BINARY, 0o600)
    try:
        system.write(file, line.encode("utf-8", "replace") + b"\n")
    finally:
        system.close(file)
