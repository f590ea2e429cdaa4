"""Calls and their outcomes in, a history with nothing else out."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from lessons.match.call import canonical_name, command_of, paths_of
from lessons.store.history import database
from lessons.store.history.history import History

SHOP = "/home/somebody/shop"
_OTHERS = dict.fromkeys(
    ("agent_id", "branch", "version", "subcommand", "uuid", "message_id", "ended", "result_uuid"), ""
)


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """One call; a shell line unless a tool is named."""

    command: str = ""
    tool: str = "Bash"
    arguments: dict[str, object] = {}
    outcome: str = "ok"
    error: str = ""
    fingerprint: str = ""
    suspicious: bool = False
    program: str = ""
    session: str = "s1"
    project: str = SHOP
    cwd: str = SHOP
    time: str = "2026-09-01T08:00:00.000Z"
    message: str = ""
    escaped: bool = False  # JSON in which everything that is not ASCII, and some that is, stands as \uXXXX

    @property
    def given(self) -> dict[str, object]:
        return self.arguments or {"command": self.command}


def failed(command: str, error: str = "Exit code 1\nno such flag", fingerprint: str = "f1", **more: object) -> Past:
    return msgspec.structs.replace(
        Past(command=command, outcome="failed", error=error, fingerprint=fingerprint), **more
    )


def fill(connection: sqlite3.Connection, calls: Iterable[Past]) -> None:
    """Numbered from 0 in their order: the first is `t0`."""
    sessions: dict[str, tuple[str, str]] = {}
    source = (1, "claude-code", "/x", 0, 0, 0, 0, 0, b"", b"", "")
    columns = "id, agent, path, generation, inode, size, modified, offset, head, tail, memory"
    connection.execute(f"INSERT OR IGNORE INTO sources ({columns}) VALUES (?{', ?' * 10})", source)
    for number, past in enumerate(calls):
        _insert(connection, number, past)
        first, last = sessions.get(past.session, (past.time, past.time))
        sessions[past.session] = (min(first, past.time), max(last, past.time))
    rows = [("claude-code", name, SHOP, first, last, "", "") for name, (first, last) in sessions.items()]
    connection.executemany("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def _insert(connection: sqlite3.Connection, number: int, past: Past) -> None:
    given: dict[object, object] = dict(past.given.items())
    is_shell = canonical_name(past.tool) == "Bash"
    paths = () if is_shell else paths_of(given, past.cwd)
    row: dict[str, object] = {
        **_OTHERS, "tool_use_id": f"t{number}", "agent": "claude-code", "session_id": past.session,
        "project": past.project, "cwd": past.cwd, "time": past.time, "message_id": past.message, "model": "claude-x",
        "tool": past.tool, "program": past.program, "command": (command_of(given) or "") if is_shell else "",
        "path": paths[0] if paths else "",
        "arguments": json.dumps(given, ensure_ascii=past.escaped).replace("g", r"\u0067" if past.escaped else "g"),
        "outcome": past.outcome, "error": past.error, "error_fingerprint": past.fingerprint,
        "suspicious": past.suspicious,
        **dict.fromkeys(("sidechain", "hides_exit", "segment", "position", "block", "copied"), 0), "source_id": 1,
    }  # fmt: skip
    marks = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO calls ({', '.join(row)}) VALUES ({marks})", list(row.values()))


@contextmanager
def history_of(*calls: Past) -> Iterator[History]:
    """In memory."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.row_factory = sqlite3.Row
        database.bring_up_to_date(connection, ":memory:")
        fill(connection, calls)
        yield History(connection, "")


def home_with(folder: Path, *calls: Past) -> None:
    """In the history of a data home."""
    with database.opened(str(folder)) as connection:
        fill(connection, calls)
