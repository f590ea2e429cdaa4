"""Adds our hooks to a `hooks.json` of Cursor, which has a list of handlers for each event, and removes them."""

from lessons.agents.base import InstallReport
from lessons.agents.cursor.wire import AGENT, EVENTS
from lessons.agents.hook_command import build_command, is_ours
from lessons.agents.hook_settings import expect_list, parsed, split_mark
from lessons.agents.settings_file import change, command_places, read_text, take_out
from lessons.agents.settings_text import Path, delete, find, insert, parse

_EMPTY = '{\n  "version": 1,\n  "hooks": {}\n}\n'
_UNPROVEN = "The Cursor hook follows its documentation and has not been tested with the client."


def hook_commands(home: str) -> dict[str, str]:
    """Returns event -> its command."""
    places = command_places(home)
    return {event: build_command(event, *places, agent=AGENT) for event in EVENTS}


def install(settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
    """Adds our commands to the file; safe to run again."""
    wanted = hook_commands(home)
    _, done = change(settings_file, lambda before: _with(before, wanted, settings_file), dry_run, _without)
    return done if dry_run else done._replace(warnings=(_UNPROVEN,))


def uninstall(settings_file: str, dry_run: bool = False) -> InstallReport:
    """Removes our commands from the file, and the file if it has nothing else."""
    return take_out(settings_file, dry_run, _EMPTY, _without)


def installed_commands(settings_file: str) -> dict[str, str]:
    """Returns event -> our command in the file; empty if there is no file."""
    text = read_text(settings_file)
    text = split_mark(text or "")[1]
    if not text.strip():
        return {}
    parsed(text, settings_file, "hooks")
    return _installed_in(text)


def _with(before: str | None, wanted: dict[str, str], file: str) -> str:
    mark, text = split_mark(before or "")
    text = text if text.strip() else _EMPTY
    root = parsed(text, file, "hooks")
    for event in wanted:
        expect_list(root, _camel(event), file)
    if _installed_in(text) == wanted:
        return mark + text
    text = _without(text, file, text)
    if find(parse(text), ("hooks",)) is None:
        text = insert(text, (), "hooks", {})
    for event, command in wanted.items():
        handlers = find(parse(text), ("hooks", _camel(event)))
        if handlers is None:
            text = insert(text, ("hooks",), _camel(event), [{"command": command}])
        else:
            text = insert(text, ("hooks", _camel(event)), len(handlers.children), {"command": command})
    return mark + text


def _installed_in(text: str) -> dict[str, str]:
    root = parse(text)
    return {_pascal(str(path[1])): str(node.value) for path in _ours(text) if (node := find(root, (*path, "command")))}


def _without(settings_text: str, file: str, original: str | None = None) -> str:
    """Returns the file without our commands, and without containers that are then empty and were not in `original`."""
    mark, text = split_mark(settings_text)
    if not text.strip():
        return settings_text
    parsed(text, file, "hooks")
    first = split_mark(original or "")[1]
    before = parsed(first if first.strip() else _EMPTY, file, "hooks")
    while ours := _ours(text):
        path = ours[-1]
        root = parse(text)
        for shorter in (path[:2], path[:1]):
            holder = find(root, shorter)
            if holder is None or len(holder.children) > 1 or find(before, shorter) is not None:
                break
            path = shorter
        text = delete(text, path)
    return mark + text


def _ours(text: str) -> list[Path]:
    hooks = find(parse(text), ("hooks",))
    found: list[Path] = []
    for event in hooks.children if hooks else ():
        for handler in event.children:
            command = handler.value.get("command") if isinstance(handler.value, dict) else None
            if isinstance(command, str) and is_ours(command):
                found.append(("hooks", event.key, handler.key))
    return found


def _camel(event: str) -> str:
    return event[:1].lower() + event[1:]


def _pascal(event: str) -> str:
    return event[:1].upper() + event[1:]
