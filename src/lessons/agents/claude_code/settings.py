"""The text of a Claude Code settings file becomes the same text with our hooks in it, or without them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lessons.agents.claude_code.command import is_ours
from lessons.agents.settings_text import Node, Path, delete, find, insert, parse, replace
from lessons.errors import DamagedFile, Refused

BYTE_ORDER_MARK = "\ufeff"
_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}


@dataclass(frozen=True)
class Registration:
    """How the client is told to call one of our commands."""

    timeout: int
    matcher: str | None = None

    def group(self, command: str) -> dict[str, Any]:
        handler = {"type": "command", "command": command, "timeout": self.timeout}
        return {**({} if self.matcher is None else {"matcher": self.matcher}), "hooks": [handler]}


REGISTRATIONS = {
    "PreToolUse": Registration(timeout=5, matcher="*"),
    "PostToolUseFailure": Registration(timeout=5, matcher="*"),
    "SessionStart": Registration(timeout=10),
    "SubagentStart": Registration(timeout=5),
}


def plan(settings_text: str | None, commands: Mapping[str, str], file: str = "settings.json") -> str:
    """The settings with exactly one of our commands for each event; `file` is how errors name them."""
    mark, text = _split_mark(settings_text or "")
    if not text.strip():
        text = "{}\n"
    for event, command in commands.items():
        root = read(text, file)
        _expect(find(root, ("hooks", event)), list, f"`hooks.{event}`", file)
        installed = [path for path in our_handlers(root) if path[1] == event]
        text = _update(text, root, installed[0], command) if installed else _add(text, root, event, command)
    while surplus := _surplus(read(text, file), commands):
        text = _take_out(text, surplus[-1], None)
    return mark + text


def remove(settings_text: str, file: str = "settings.json", original: str | None = None) -> str:
    """The settings without any command of ours, and without what held nothing else.

    A text cannot tell whether a list or object was empty before we came; `original` can, where it is known.
    """
    mark, text = _split_mark(settings_text)
    if not text.strip():
        return settings_text
    before = read(original, file) if original and original.strip() else None
    while ours := our_handlers(read(text, file)):
        text = _take_out(text, ours[-1], before)
    return mark + text


def read(text: str, file: str) -> Node:
    """The tree of the settings, if they are an object whose `hooks`, if any, are an object too."""
    try:
        root = parse(text.removeprefix(BYTE_ORDER_MARK))
    except json.JSONDecodeError as error:
        raise _not_json(error, file) from error
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number of thousands of digits
        raise DamagedFile(f"{file} cannot be read as settings ({error}); nothing was changed.") from error
    _expect(root, dict, "the whole file", file)
    _expect(find(root, ("hooks",)), dict, "`hooks`", file)
    return root


def our_handlers(root: Node) -> list[Path]:
    """The paths of all commands of ours, in the order of the text."""
    found: list[Path] = []
    hooks = find(root, ("hooks",))
    for event in hooks.children if hooks else ():
        groups = find(root, ("hooks", event.key))
        for group in groups.children if groups else ():
            path: Path = ("hooks", event.key, group.key, "hooks")
            handlers = find(root, path)
            for handler in handlers.children if handlers else ():
                if _is_our_handler(handler.value) and (*path, handler.key) not in found:
                    found.append((*path, handler.key))
    return found


def _is_our_handler(handler: object) -> bool:
    if not isinstance(handler, dict) or not isinstance(handler.get("command"), str):
        return False
    arguments = handler.get("args")
    words = arguments if isinstance(arguments, list) else []
    return is_ours(handler["command"]) or any(isinstance(word, str) and is_ours(word) for word in words)


def _update(text: str, root: Node, path: Path, command: str) -> str:
    """Only the command is ours to change: a timeout or a matcher that a person chose stays."""
    handler = find(root, path)
    if handler is None or (handler.value["command"] == command and "args" not in handler.value):
        return text
    text = replace(text, (*path, "command"), command)
    return delete(text, (*path, "args")) if "args" in handler.value else text


def _add(text: str, root: Node, event: str, command: str) -> str:
    group = REGISTRATIONS[event].group(command)
    hooks = find(root, ("hooks",))
    if hooks is None:
        return insert(text, (), "hooks", {event: [group]})
    groups = find(root, ("hooks", event))
    if groups is None:
        return insert(text, ("hooks",), event, [group])
    return insert(text, ("hooks", event), len(groups.children), group)


def _surplus(root: Node, commands: Mapping[str, str]) -> list[Path]:
    """Ours under an event that is not registered, and repetitions: they would run beside the right ones."""
    served: set[object] = set()
    surplus: list[Path] = []
    for path in our_handlers(root):
        if path[1] not in commands or path[1] in served:
            surplus.append(path)
        served.add(path[1])
    return surplus


def _take_out(text: str, path: Path, original: Node | None) -> str:
    """Deletes a handler, or the outermost thing around it that would be left empty."""
    root = parse(text)
    for shorter, container in ((path[:3], path[:4]), (path[:2], path[:2]), (path[:1], path[:1])):
        holder = find(root, container)
        before = find(original, container) if original else None
        was_empty = before is not None and before.value in ([], {})
        if holder is None or len(holder.children) > 1 or was_empty:
            break
        path = shorter
    return delete(text, path)


def _split_mark(text: str) -> tuple[str, str]:
    without = text.removeprefix(BYTE_ORDER_MARK)
    return text[: len(text) - len(without)], without


def _expect(node: Node | None, kind: type, place: str, file: str) -> None:
    if node is not None and not isinstance(node.value, kind):
        found = _KINDS.get(type(node.value), "a number")
        raise Refused(
            f"{file}: {place} is {found} and should be {_KINDS[kind]}: correct it there; nothing was changed."
        )


def _not_json(error: json.JSONDecodeError, file: str) -> DamagedFile | Refused:
    place = f"{file}, line {error.lineno}, column {error.colno}"
    near = error.doc[error.pos :].lstrip(), error.doc[error.pos + 1 :].lstrip()
    if any(rest.startswith(("//", "/*")) for rest in near):
        return Refused(f"{place}: there is a comment, which JSON does not allow: take it out; nothing was changed.")
    return DamagedFile(f"{place} is not valid JSON ({error.msg}): correct it there; nothing was changed.")
