"""Whether a settings file runs an agent's hook for an event, from an installation that still exists."""

from lessons.agents.hook_lines import FALLBACK_LINE, line_of, parts_of
from lessons.store.json_text import decode
from lessons.system import O_BINARY, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Does not wait for a pipe.
_FLAGS = system.O_RDONLY | O_BINARY | getattr(system, "O_NONBLOCK", 0)
_LARGEST = 4 << 20


def runs_hook(path: str, event: str, agent: str = "", line_event: str = "") -> bool:
    """Whether it is there exactly as this version's `install` writes it.

    The line names the agent unless it is the default one, and `line_event` if the file has another name for it. A
    resident server is not checked: its fallback command is in the same file.
    """
    named = line_event or event
    lines = (line_of(named, agent), FALLBACK_LINE)
    return any(runs(command, named, lines) for _, _, command in commands_for(path, event))


def commands_for(path: str, event: str) -> "Iterator[tuple[int, int, str]]":
    """Yields group, handler and command of every plain command for the event that may be ours.

    The handlers of an event are in groups, or directly in its list.
    """
    try:
        content = read_small(path)
        if b"lessons" not in content:
            return
        settings = decode(content.decode("utf-8").removeprefix("\ufeff"))
    except (OSError, ValueError, RecursionError):
        return  # the client cannot read it either
    groups = _child(_child(settings, "hooks"), event)
    for group_number, group in enumerate(groups if isinstance(groups, list) else ()):
        handlers = _child(group, "hooks")
        # A handler outside a group needs no type.
        types = ("command",) if isinstance(handlers, list) else ("command", None)
        for number, handler in enumerate(handlers if isinstance(handlers, list) else (group,)):
            command = _command_of(handler, types)
            if command:
                yield group_number, number, command


def read_small(path: str) -> bytes:
    """Returns the content of a regular file that is not too large; empty for any other."""
    file = system.open(path, _FLAGS)
    try:
        status = system.fstat(file)
        if status.st_mode & 0o170000 != 0o100000 or status.st_size > _LARGEST:
            return b""
        pieces = []
        while piece := system.read(file, 1 << 16):
            pieces.append(piece)
        return b"".join(pieces)
    finally:
        system.close(file)


def runs(command: str, event: str, lines: "tuple[str, ...]") -> bool:
    """Whether it is exactly one of these lines for the event, from an installation that still exists."""
    for line in lines:
        parts = parts_of(line, command)
        if parts and parts["event"] == event:
            return _exists(parts["python"]) and _exists(parts["entry"])
    return False


def _command_of(handler: object, types: "tuple[str | None, ...]") -> str:
    command, arguments = _child(handler, "command"), _child(handler, "args")
    if command == "/bin/sh" and isinstance(arguments, list) and len(arguments) == 2 and arguments[0] == "-c":
        command, arguments = arguments[1], None
    plain = isinstance(command, str) and arguments is None and _child(handler, "type") in types
    return str(command) if plain else ""


def _exists(path: str) -> bool:
    """Whether it exists; a hook that cannot start does not count."""
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


def _child(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
