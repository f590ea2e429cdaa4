"""Whether the person's settings file already runs the hook for an event, so that the plugin's hook stays silent."""

from lessons.agents.claude_code.hook_lines import FALLBACK_LINE, line_of, parts_of
from lessons.store.json_text import decode
from lessons.system import O_BINARY, environment, system

# A pipe is not waited for.
_FLAGS = system.O_RDONLY | O_BINARY | getattr(system, "O_NONBLOCK", 0)
_LARGEST = 4 << 20


def in_settings(event: str) -> bool:
    """Then the plugin's hook stands back: nothing is to be said, stopped or counted twice.

    Only the person's own file is believed: a line in a repository must not switch the plugin's hook off.
    """
    home = environment("HOME") or environment("USERPROFILE")
    return _has_hook((environment("CLAUDE_CONFIG_DIR") or home + "/.claude") + "/settings.json", event)


def _has_hook(path: str, event: str) -> bool:
    try:
        content = _read(path)
        if b"lessons" not in content:
            return False
        settings = decode(content.decode("utf-8").removeprefix("\ufeff"))
    except (OSError, ValueError, RecursionError):
        return False  # the client cannot read it either
    groups = _child(_child(settings, "hooks"), event)
    for group in groups if isinstance(groups, list) else ():
        handlers = _child(group, "hooks")
        for handler in handlers if isinstance(handlers, list) else ():
            if _is_ours(handler, event):
                return True
    return False


def _read(path: str) -> bytes:
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


def _is_ours(handler: object, event: str) -> bool:
    """Exactly what `install` writes today, of an installation that is still there.

    A resident server is not looked for: the command that answers in its place stands beside it.
    """
    command, arguments = _child(handler, "command"), _child(handler, "args")
    if command == "/bin/sh" and isinstance(arguments, list) and len(arguments) == 2 and arguments[0] == "-c":
        command, arguments = arguments[1], None
    if not isinstance(command, str) or arguments is not None or _child(handler, "type") != "command":
        return False
    for line in (line_of(event), FALLBACK_LINE):
        parts = parts_of(line, command)
        if parts and parts["event"] == event:
            return _exists(parts["python"]) and _exists(parts["entry"])
    return False


def _exists(path: str) -> bool:
    """A hook that cannot start stands in nobody's way."""
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


def _child(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
