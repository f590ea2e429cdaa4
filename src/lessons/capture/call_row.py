"""Builds the redacted history row of a call."""

from functools import lru_cache

import msgspec

from lessons.agents.base import Line
from lessons.agents.events import Called
from lessons.match.call import command_of, paths_of
from lessons.match.tools import canonical_name
from lessons.redact.gates import is_plain
from lessons.redact.texts import clean_name, redacted_start, redacted_value, says_secret
from lessons.redact.values import asks_password, name_words
from lessons.shell.hidden_exit import hides_exit
from lessons.shell.program import program_of
from lessons.store.history.rows import Call, Origin

ARGUMENT_LIMIT = 4_096
_ALL_LIMIT = 32_768  # of all strings of one call
_DEPTH = 6
_MOST_ITEMS = 500
# Fields beside or inside a secret that only identify it.
_TELLING = frozenset(
    "name id ids type kind path file url uri version mode description title namespace user username email host label "
    "selector element ref format field header key".split()
)
_SHORTEST_NUMBER = 4
_LABELS = ("name", "key", "variable", "header", "field", "label", "selector", "element", "parameterkey")
_VALUES = frozenset(["value", "text"])

__all__ = ["ARGUMENT_LIMIT", "call_row", "clean_name"]


def call_row(line: Line, called: Called, origin: Origin, block: int) -> Call:
    arguments, text = _stored(called)
    is_shell, tool, model, cwd, branch, version = _shared(
        called.tool, called.model, line.cwd, line.branch, line.version
    )
    command = (command_of(arguments) or "") if is_shell else ""
    paths = () if is_shell else paths_of(arguments, cwd)
    program, subcommand = program_of(command) if command else ("", "")
    return Call(
        origin,
        called.tool_use_id,
        called.message_id,
        block,
        line.sidechain,
        cwd,
        branch,
        model,
        version,
        tool,
        program,
        subcommand,
        command,
        paths[0] if paths else "",
        text,
        bool(command) and hides_exit(command),
    )


@lru_cache(maxsize=256)
def _shared(tool: str, model: str, cwd: str, branch: str, version: str) -> tuple[bool, str, str, str, str, str]:
    """Returns what hundreds of calls share, cleaned: whether it is a shell, and the texts in this order."""
    names = (clean_name(tool, 200), clean_name(model, 100), clean_name(cwd, 1_000))
    return canonical_name(tool) == "Bash", *names, clean_name(branch), clean_name(version, 50)


def _stored(called: Called) -> tuple[dict[object, object], str]:
    """Returns the arguments with every string redacted and cut, and the same as JSON."""
    source = called.source
    if source is not None and called.arguments and len(memoryview(source)) <= ARGUMENT_LIMIT:
        written = bytes(source)
        if is_plain(written):  # nearly always: then it is stored unchanged
            return called.arguments, written.decode()
    room = [_ALL_LIMIT]
    stored = _shortened_fields("", called.arguments, room, _DEPTH + 1)
    return stored, msgspec.json.encode(stored).decode()


def _shortened(name: str, value: object, room: list[int], depth: int) -> object:
    """Returns the value with every string redacted and cut; `room` is the number of characters left for all of them."""
    if isinstance(value, str):
        text = redacted_value(name, value, min(ARGUMENT_LIMIT, room[0]))
        room[0] -= len(text)
        return text
    if depth and isinstance(value, dict):
        return _shortened_fields(name, value, room, depth)
    if depth and isinstance(value, list):
        return _shortened_items(name, value[:_MOST_ITEMS], room, depth)
    if isinstance(value, int | float) and not isinstance(value, bool) and says_secret(name) == "password":
        return "[redacted:password]" if len(str(value)) >= _SHORTEST_NUMBER else value
    return value if isinstance(value, bool | int | float) else None


def _shortened_fields(owner: str, fields: dict[object, object], room: list[int], depth: int) -> dict[object, object]:
    some = fields.items() if len(fields) <= _MOST_ITEMS or depth > _DEPTH else list(fields.items())[:_MOST_ITEMS]
    label = _secret_label(fields)
    stored: dict[object, object] = {}
    for key, item in some:
        name = str(key)
        if not says_secret(name):
            words = name_words(name[-100:])[-1:]
            if label and not _VALUES.isdisjoint(words):
                name = label
            # A number below a secret is a length or a count.
            elif owner and _TELLING.isdisjoint(words) and not isinstance(item, int | float):
                name = owner
        stored[_name(key)] = _shortened(name, item, room, depth - 1)
    return stored


def _shortened_items(name: str, items: list[object], room: list[int], depth: int) -> list[object]:
    """Shortens a list, in which a flag (`--password`) names the item after it."""
    stored: list[object] = []
    flag = ""
    for item in items:
        is_value = flag and not (isinstance(item, str) and item.startswith("-"))
        stored.append(_shortened(flag if is_value else name, item, room, depth - 1))
        flag = item.lstrip("-") if isinstance(item, str) and item.startswith("-") and says_secret(item) else ""
    return stored


def _secret_label(fields: dict[object, object]) -> str:
    """Returns the name of a secret whose value is in a separate field: `{"name": "API_TOKEN", "value": "x"}`."""
    for key, item in fields.items():
        if isinstance(item, str) and isinstance(key, str) and len(item) < 100 and key.lower() in _LABELS:
            if says_secret(item) and " " not in item:
                return item
            if asks_password(item):
                return "password"
    return ""


def _name(name: object) -> str:
    return name if isinstance(name, str) and len(name) < 20 else redacted_start(str(name), 100)
