"""Actions of a session in, opencode's database out, or the folder of older versions."""

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_SCHEMA = """
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL,
    title text NOT NULL, version text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE INDEX part_session_idx ON part (session_id);
"""
_BEGAN = 1_794_000_000_000
Fields = dict[str, Any]


def tool(name: str, call: str, status: str = "completed", **state: Any) -> Fields:
    """The part of a call; of a shell command with `exit` as its exit code."""
    given: Fields = {"status": status, "input": state.pop("input", {}), "time": {"start": _BEGAN}, **state}
    if "exit" in given:
        given["metadata"] = {"exit": given.pop("exit")}
    if status in ("completed", "error"):
        given["time"]["end"] = _BEGAN + 1
    return {"type": "tool", "tool": name, "callID": call, "state": given}


def shell(command: str, call: str, exit: int | None = 0, output: str = "") -> Fields:
    return tool("bash", call, input={"command": command}, exit=exit, output=output)


def words(text: str, is_done: bool = True) -> Fields:
    return {"type": "text", "text": text, "time": {"start": _BEGAN, **({"end": _BEGAN + 1} if is_done else {})}}


class Database:
    """Written as opencode writes it: in a log beside the file, while others read."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.executescript(_SCHEMA)
        self.clock = _BEGAN
        self.numbers = 0

    def now(self) -> int:
        self.clock += 1_000
        return self.clock

    def session(self, name: str, folder: str = "/shop", parent: str | None = None) -> None:
        row = (name, "p1", parent, folder, f"About {name}", "1.18.33", self.now(), self.clock)
        self.connection.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def message(self, session: str, role: str = "assistant", **more: Any) -> str:
        name = self._name("msg")
        path = {} if role == "user" else {"path": {"cwd": "/shop", "root": "/shop"}, "modelID": "m1"}
        data = json.dumps({"role": role, "time": {"created": self.now()}, **path, **more})
        self.connection.execute(
            "INSERT INTO message VALUES (?, ?, ?, ?, ?)", (name, session, self.now(), self.clock, data)
        )
        return name

    def part(self, session: str, message: str, content: Mapping[str, Any] | str) -> str:
        name = self._name("prt")
        data = content if isinstance(content, str) else json.dumps(content)
        row = (name, message, session, self.now(), self.clock, data)
        self.connection.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)
        return name

    def change(self, part: str, content: Mapping[str, Any]) -> None:
        row = (json.dumps(content), self.now(), part)
        self.connection.execute("UPDATE part SET data = ?, time_updated = ? WHERE id = ?", row)

    def delete(self, part: str) -> None:
        self.connection.execute("DELETE FROM part WHERE id = ?", (part,))

    def said(self, session: str, *parts: Mapping[str, Any], role: str = "assistant") -> list[str]:
        """One message with these parts."""
        message = self.message(session, role)
        return [self.part(session, message, part) for part in parts]

    def close(self) -> None:
        self.connection.close()

    def _name(self, kind: str) -> str:
        self.numbers += 1
        return f"{kind}_{self.numbers:012x}AbCdEfGhIjKl"


def eventful(path: Path) -> Database:
    """A session with calls that ended in every way, one of a subagent, and another session."""
    database = Database(path)
    database.session("ses_one")
    database.said("ses_one", {"type": "text", "text": "Make the tests pass."}, role="user")
    database.said("ses_one", {"type": "step-start"}, words("I run them."), shell("make tset", "call_1", 2, "No rule"))
    database.said("ses_one", shell("make test", "call_2", 0, "fine"), shell("sleep 9", "call_3", None, "(no output)"))
    gone = tool("read", "call_4", "error", input={"filePath": "/shop/none"}, error="File not found: /shop/none")
    denied = tool("bash", "call_5", "error", input={"command": "rm x"}, error="Denied by a lesson of the user. No.")
    database.said("ses_one", gone, denied, tool("invalid", "call_6", input={"tool": "x"}, output="The arguments"))
    database.said("ses_one", {"type": "compaction", "auto": True}, role="user")
    database.session("ses_two", parent="ses_one")
    database.said("ses_two", {"type": "text", "text": "Look around."}, role="user")
    database.said("ses_two", shell("ls nowhere", "call_1", 1, "ls: cannot access 'nowhere'"), words("Nothing there."))
    database.session("ses_three", folder="/other")
    database.said("ses_three", shell("make tset", "call_1", 2, "No rule"), shell("make test", "call_2"))
    return database


def write_eventful(root: Path) -> None:
    eventful(root / "opencode.db").close()
