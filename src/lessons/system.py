"""Operating system calls and environment, without the cost of importing `os`."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os as system
    from collections.abc import Callable
    from typing import Any, BinaryIO
else:
    try:
        import posix as system
    except ImportError:  # not a POSIX system
        import os as system

__all__ = [
    "O_BINARY", "O_NOFOLLOW", "environment", "environment_of_child", "is_alive", "make_private", "open_regular",
    "read_at", "system",
]  # fmt: skip

# `posix` stores the environment as bytes, `os` as text, and expects keys of the same type.
_KEEPS_BYTES = system.__name__ == "posix"
# Windows translates newlines, and treats ^Z as the end of a file, unless told not to.
O_BINARY: int = getattr(system, "O_BINARY", 0)
O_NOFOLLOW: int = getattr(system, "O_NOFOLLOW", 0)


def environment(name: str) -> str:
    """Returns an environment variable as text; unset and empty are the same."""
    if _KEEPS_BYTES:
        value: bytes = system.environ.get(name.encode(), b"")  # type: ignore[call-overload]
        return value.decode("utf-8", "surrogateescape")
    return system.environ.get(name, "")


def environment_of_child(name: str, value: str) -> "Any":
    """Returns the whole environment with one variable changed, in the form that a new process takes."""
    changed: dict[Any, Any] = {**system.environ}
    if _KEEPS_BYTES:
        changed[name.encode()] = value.encode("utf-8", "surrogateescape")
    else:
        changed[name] = value
    return changed


def _sought_and_read(file: int, length: int, position: int) -> bytes:
    system.lseek(file, position, 0)
    return system.read(file, length)


# Reads bytes at a position of an open file: (file, length, position). Windows has no `pread`.
read_at: "Callable[[int, int, int], bytes]" = getattr(system, "pread", _sought_and_read)


def open_regular(path: str, flags: int = 0) -> "BinaryIO":
    """Opens a file for reading, without waiting for a pipe; raises OSError if it is not a regular file."""
    file = system.open(path, system.O_RDONLY | O_BINARY | getattr(system, "O_NONBLOCK", 0) | flags)
    if system.fstat(file).st_mode & 0o170000 != 0o100000:
        system.close(file)
        raise OSError(22, "it is not a regular file", path)
    return open(file, "rb")


def make_private(folder: str) -> None:
    """Creates a folder only the user can access, whatever the umask; raises if it already exists."""
    system.mkdir(folder, 0o700)
    system.chmod(folder, 0o700)


def is_alive(process: int) -> bool:
    """Returns True if unknown: asking on Windows would end the process."""
    if not hasattr(system, "getuid"):
        return True
    try:
        system.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
