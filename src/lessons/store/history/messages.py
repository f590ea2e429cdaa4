"""The table `messages`: what each message of a model cost, merged from every record about it."""

import sqlite3
from collections.abc import Iterable

import msgspec

from lessons.store.history.rows import MessageRow

_PLACE = ("copied", "session_id", "agent_id", "project")
_COLUMNS = ("agent", *MessageRow.__struct_fields__)
_LARGEST = ("model", "request_id", "stop_reason", *(name for name in _COLUMNS if name.endswith("_tokens")))
_FIRST = f"({', '.join(f'excluded.{name}' for name in _PLACE)}) < ({', '.join(_PLACE)})"
# Every column is a minimum or a maximum, so that the order in which files are read does not matter. Copies keep the
# place of the original, as with calls. A record may be written before the model has finished.
_MERGE = f"""
INSERT INTO messages ({", ".join(_COLUMNS)}) VALUES ({", ".join("?" * len(_COLUMNS))})
ON CONFLICT (message_id) DO UPDATE SET
    {", ".join(f"{name} = iif({_FIRST}, excluded.{name}, {name})" for name in _PLACE)},
    {", ".join(f"{name} = max({name}, excluded.{name})" for name in _LARGEST)},
    time = CASE WHEN time = '' THEN excluded.time WHEN excluded.time = '' THEN time ELSE min(time, excluded.time) END
"""


def write(connection: sqlite3.Connection, agent: str, rows: Iterable[MessageRow]) -> None:
    connection.executemany(_MERGE, [_values(agent, row) for row in rows])


def _values(agent: str, row: MessageRow) -> tuple[object, ...]:
    """Converts booleans to numbers, which sqlite3 stores faster."""
    message_id, session_id, agent_id, project, time, copied, *rest = msgspec.structs.astuple(row)
    return agent, message_id, session_id, agent_id, project, time, +copied, *rest
