"""An event of the plugin's hook in, whether a settings file runs the hook for it already out."""

from lessons.store.json_text import decode
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTRY = "lessons/hook/entry.py"
_SERVER = "lessons"


def in_settings(event: str) -> bool:
    """Then the plugin's hook stands back: nothing is to be said, stopped or counted twice."""
    return any(_has_hook(file, event) for file in _files())


def _files() -> "Iterator[str]":
    """Those that the client reads; it tells a hook where the project is."""
    home = environment("HOME") or environment("USERPROFILE")
    yield (environment("CLAUDE_CONFIG_DIR") or home + "/.claude") + "/settings.json"
    project = environment("CLAUDE_PROJECT_DIR")
    if project:
        yield project + "/.claude/settings.json"
        yield project + "/.claude/settings.local.json"


def _has_hook(file: str, event: str) -> bool:
    try:
        with open(file, "rb") as opened:
            content = opened.read()
        if b"lessons" not in content:
            return False
        settings = decode(content.decode("utf-8").removeprefix("\ufeff"))
    except (OSError, ValueError):
        return False  # the client cannot read it either
    groups = _child(_child(settings, "hooks"), event)
    for group in groups if isinstance(groups, list) else ():
        handlers = _child(group, "hooks")
        for handler in handlers if isinstance(handlers, list) else ():
            if _is_ours(handler, event):
                return True
    return False


def _is_ours(handler: object, event: str) -> bool:
    """The entry file, the verb `lessons hook`, or the server that answers in their place."""
    if _child(handler, "type") == "mcp_tool":
        return _child(handler, "server") == _SERVER
    arguments = _child(handler, "args")
    for word in (_child(handler, "command"), *(arguments if isinstance(arguments, list) else ())):
        plain = word.replace("\\", "/").replace('"', "").replace("'", "") if isinstance(word, str) else ""
        if _ENTRY in plain or f"lessons hook {event}" in plain:
            return True
    return False


def _child(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
