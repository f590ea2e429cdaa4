"""Whether the model got a hook's text, for clients that keep no record of it; and how their files are read. (hot)"""

from lessons.system import O_BINARY, read_at, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall


class Unrecorded:
    """Every text counts as delivered: the client never loses one, or nothing shows it."""

    def __init__(self, answered: bool | None) -> None:
        self._answered = answered

    def note(self, call: "ToolCall", event: str, transcript: str) -> str:
        return ""

    def arrived(self, noted: str) -> bool | None:
        return True

    def is_answered(self, noted: str) -> bool | None:
        return self._answered


def read_own_file(path: str, position: int | None, most: int) -> bytes:
    """Returns the content from a position on, or the last bytes if there is none.

    Only of a regular file that belongs to the user, because the path came from outside: else raises ValueError or
    OSError.
    """
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
