"""Adds our hooks to the text of a JSON settings file with `hooks`, or removes them; the rest stays unchanged.

Several agents use this format of Claude Code: event -> groups with a matcher -> handlers. Others have no groups
(`flat`): event -> handlers.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from lessons.agents.hook_command import is_ours
from lessons.agents.table import Hook
from lessons.errors import DamagedFile, Refused
from lessons.json_edit import Node, Path, delete, find, insert, parse, replace

BYTE_ORDER_MARK = "\ufeff"
# The names under which the client knows our resident server, and the only tool that its hook calls.
_SERVER = re.compile(r"lessons(?:-[0-9a-f]{8})?")
TOOL = "hook"

Handler = dict[str, Any]
# A command, or handlers of another form.
Wanted = str | list[Handler]
# Our fields of a handler; a timeout that the user chose stays.
_OURS = ("command", "args", "server", "tool", "input")
_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}


def handlers_for(hook: Hook, wanted: Wanted, flat: bool = False) -> list[Handler]:
    if not isinstance(wanted, str):
        return wanted
    if flat:
        return [{"command": wanted}]
    condition = {"if": hook.condition} if hook.condition else {}
    return [{"type": "command", **condition, "command": wanted, "timeout": hook.timeout}]


def group_for(hook: Hook, handlers: list[Handler]) -> dict[str, Any]:
    return {**({"matcher": hook.matcher} if hook.matcher else {}), "hooks": handlers}


def plan(
    settings_text: str | None,
    wanted: Mapping[str, Wanted],
    hooks: Mapping[str, Hook],
    file: str = "settings.json",
    flat: bool = False,
) -> str:
    """Returns the settings with exactly our command, or our handlers, for each event; `file` is the name in errors."""
    mark, text = split_mark(settings_text or "")
    if not text.strip():
        text = "{}\n"
    for event, one in wanted.items():
        text = _arrange(text, event, handlers_for(hooks[event], one, flat), hooks[event], file, flat)
    while surplus := [path for path in our_handlers(read(text, file)) if path[1] not in wanted]:
        text = _take_out(text, surplus[-1])
    return mark + text


def remove(settings_text: str, file: str = "settings.json") -> str:
    """Returns the settings without our commands, and without containers that are then empty."""
    mark, text = split_mark(settings_text)
    if not text.strip():
        return settings_text
    while ours := our_handlers(read(text, file)):
        text = _take_out(text, ours[-1])
    return mark + text


def read(text: str, file: str) -> Node:
    """Returns the tree of the settings, if they are an object whose `hooks`, if any, are an object too."""
    return parsed(text.removeprefix(BYTE_ORDER_MARK), file, "hooks")


def switched_off(text: str, file: str, switch: str) -> tuple[str, ...]:
    """Returns a warning if the settings disable all hooks with this switch, written as `key.key: value`."""
    place, _, value = switch.partition(": ")
    node = find(read(text, file), tuple(place.split(".")))
    if node is None or node.value is not (value == "true"):
        return ()
    return (f"{file} has `{switch}`, so no hook runs: remove it to let lessons fire.",)


def parsed(text: str, file: str, key: str) -> Node:
    """Returns the tree of a client's file, if it is an object, and the value at the key, if any, is an object."""
    try:
        root = parse(text)
    except json.JSONDecodeError as error:
        raise _not_json(error, file) from error
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number with thousands of digits
        raise DamagedFile(f"{file} cannot be read as settings ({error}); nothing was changed.") from error
    _expect(root, dict, "the whole file", file)
    _expect(find(root, (key,)), dict, f"`{key}`", file)
    return root


def our_handlers(root: Node) -> list[Path]:
    """Returns the paths of all our commands, in groups and beside them, in the order of the text."""
    found: dict[Path, None] = {}
    hooks = find(root, ("hooks",))
    for event in hooks.children if hooks else ():
        groups = find(root, ("hooks", event.key))
        for group in groups.children if groups else ():
            path: Path = ("hooks", event.key, group.key)
            if _is_our_handler(group.value):
                found[path] = None
            handlers = find(root, (*path, "hooks"))
            for handler in handlers.children if handlers else ():
                if _is_our_handler(handler.value):
                    found[*path, "hooks", handler.key] = None
    return list(found)


def _is_our_handler(handler: object) -> bool:
    if not isinstance(handler, dict):
        return False
    if handler.get("type") == "mcp_tool":
        server = handler.get("server")
        return handler.get("tool") == TOOL and isinstance(server, str) and bool(_SERVER.fullmatch(server))
    if not isinstance(handler.get("command"), str):
        return False
    arguments = handler.get("args")
    words = arguments if isinstance(arguments, list) else []
    return is_ours(handler["command"]) or any(isinstance(word, str) and is_ours(word) for word in words)


def _arrange(text: str, event: str, wanted: list[Handler], hook: Hook, file: str, flat: bool) -> str:
    """Turns existing handlers into the wanted ones in place; adds missing ones beside them, removes surplus ones."""
    root = read(text, file)
    _expect(find(root, ("hooks", event)), list, f"`hooks.{event}`", file)
    installed = {path: find(root, path) for path in our_handlers(root) if path[1] == event}
    free, missing = list(installed), []
    for handler in wanted:
        same = [path for path in free if (node := installed[path]) and _kind(node.value) == _kind(handler)]
        if same:
            free.remove(same[0])
            text = _update(text, same[0], handler)
        else:
            missing.append(handler)
    if missing and installed:
        group = next(iter(installed))[:-1]
        for handler in missing:
            handlers = find(parse(text), group)
            text = insert(text, group, len(handlers.children) if handlers else 0, handler)
    elif missing:
        text = _add(text, root, event, missing if flat else [group_for(hook, missing)])
    for path in reversed(free):
        text = _take_out(text, path)
    return text


def _kind(handler: Handler) -> str:
    return "mcp_tool" if handler.get("type") == "mcp_tool" else "command"


def _update(text: str, path: Path, handler: Handler) -> str:
    """Changes only the fields that say which program answers: a timeout or matcher that the user chose stays."""
    node = find(parse(text), path)
    present: Handler = node.value if node else {}
    for key in _OURS:
        if key not in handler and key in present:
            text = delete(text, (*path, key))
        elif key in handler and key not in present:
            text = insert(text, path, key, handler[key])
        elif key in handler and handler[key] != present[key]:
            text = replace(text, (*path, key), handler[key])
    return text


def _add(text: str, root: Node, event: str, entries: list[Handler]) -> str:
    if find(root, ("hooks",)) is None:
        return insert(text, (), "hooks", {event: entries})
    present = find(root, ("hooks", event))
    if present is None:
        return insert(text, ("hooks",), event, entries)
    for number, entry in enumerate(entries, len(present.children)):
        text = insert(text, ("hooks", event), number, entry)
    return text


def _take_out(text: str, path: Path) -> str:
    """Deletes a handler, or the outermost container around it that would become empty."""
    root = parse(text)
    containers = ((path[:3], path[:4]), (path[:2], path[:2]), (path[:1], path[:1]))
    for shorter, container in containers[len(path) == 3 :]:
        holder = find(root, container)
        if holder is None or len(holder.children) > 1:
            break
        path = shorter
    return delete(text, path)


def split_mark(text: str) -> tuple[str, str]:
    without = text.removeprefix(BYTE_ORDER_MARK)
    return text[: len(text) - len(without)], without


def _expect(node: Node | None, kind: type, place: str, file: str) -> None:
    if node is not None and not isinstance(node.value, kind):
        found = _KINDS.get(type(node.value), "a number")
        raise Refused(f"{file}: {place} is {found} and should be {_KINDS[kind]}: fix it there. Nothing was changed.")


def _not_json(error: json.JSONDecodeError, file: str) -> DamagedFile | Refused:
    place = f"{file}, line {error.lineno}, column {error.colno}"
    near = error.doc[error.pos :].lstrip(), error.doc[error.pos + 1 :].lstrip()
    if any(rest.startswith(("//", "/*")) for rest in near):
        return Refused(f"{place}: there is a comment, which JSON does not allow: remove it. Nothing was changed.")
    return DamagedFile(f"{place} is not valid JSON ({error.msg}): fix it there. Nothing was changed.")
