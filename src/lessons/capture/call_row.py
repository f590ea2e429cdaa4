"""A call as the agent asked for it in, the row of the history with nothing secret in it out."""

from functools import lru_cache

import msgspec

from lessons.agents.events import Called, Line
from lessons.capture.hidden_exit import hides_exit
from lessons.capture.program import program_of
from lessons.capture.redact import redacted_start, redacted_value
from lessons.capture.secret_gates import is_plain
from lessons.match.call import command_of, paths_of
from lessons.match.tools import canonical_name
from lessons.store.history.rows import Call, Origin

ARGUMENT_LIMIT = 4_096
_ALL_LIMIT = 32_768  # of all strings of one call
_DEPTH = 6
_MOST_ITEMS = 500


def call_row(line: Line, called: Called, origin: Origin, block: int) -> Call:
    arguments, text = _stored(called)
    is_shell = canonical_name(called.tool) == "Bash"
    command = (command_of(arguments) or "") if is_shell else ""
    paths = () if is_shell else paths_of(arguments, line.cwd)
    program, subcommand = program_of(command) if command else ("", "")
    return Call(
        origin,
        called.tool_use_id,
        called.message_id,
        block,
        line.sidechain,
        line.cwd,
        clean_name(line.branch),
        called.model[:100],
        line.version[:50],
        called.tool[:200],
        program,
        subcommand,
        command,
        paths[0] if paths else "",
        text,
        bool(command) and hides_exit(command),
    )


def _stored(called: Called) -> tuple[dict[object, object], str]:
    """The arguments with every string redacted and cut, and the same as JSON."""
    source = called.source
    if source is not None and called.arguments and len(memoryview(source)) <= ARGUMENT_LIMIT:
        written = bytes(source)
        if is_plain(written):  # nearly always: then it is stored as it stands
            return called.arguments, written.decode()
    room = [_ALL_LIMIT]
    stored: dict[object, object] = {
        _name(name): _shortened(name, value, room, _DEPTH) for name, value in called.arguments.items()
    }
    return stored, msgspec.json.encode(stored).decode()


@lru_cache(maxsize=256)
def clean_name(name: str) -> str:
    """Of a branch and the like, which thousands of calls share."""
    return redacted_start(name, 300)


def _shortened(name: object, value: object, room: list[int], depth: int) -> object:
    """The value with every string redacted and cut; `room` is what is left for all of them."""
    if isinstance(value, str):
        text = redacted_value(str(name), value, min(ARGUMENT_LIMIT, room[0]))
        room[0] -= len(text)
        return text
    if depth and isinstance(value, dict):
        some = value.items() if len(value) <= _MOST_ITEMS else list(value.items())[:_MOST_ITEMS]
        return {_name(key): _shortened(key, item, room, depth - 1) for key, item in some}
    if depth and isinstance(value, list):
        return [_shortened(name, item, room, depth - 1) for item in value[:_MOST_ITEMS]]
    return value if isinstance(value, bool | int | float) else None


def _name(name: object) -> str:
    return name if isinstance(name, str) and len(name) < 20 else redacted_start(str(name), 100)
