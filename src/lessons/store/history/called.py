"""Looks up the calls at which lessons fired: the log of the hook has no command, the history does."""

from collections.abc import Iterable

import msgspec

from lessons.agents.names import plain_id
from lessons.errors import LessonsError
from lessons.store.history.database import for_reading

_CALLS = (
    "SELECT c.tool_use_id, c.command, c.path FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value"
)


def called(home: str, tool_use_ids: Iterable[object]) -> dict[str, str]:
    """Returns the command (redacted), else the path, by the given id; leaves out calls that no scan has read."""
    given = {_stored(each): each for each in tool_use_ids if isinstance(each, str) and each}
    if not given:
        return {}
    wanted = msgspec.json.encode(sorted(given)).decode()
    try:
        with for_reading(home) as connection:
            rows = connection.execute(_CALLS, (wanted,)).fetchall()
    except LessonsError:
        # No history, or an unreadable one: the log is shown without it, and `lessons doctor` reports the problem.
        return {}
    return {given[name]: command or path for name, command, path in rows if command or path}


def _stored(identifier: str) -> str:
    """Returns the id as the history spells it."""
    return plain_id(identifier).encode(errors="replace").decode()
