"""Paths in, the resident server as Claude Code is told of it out: its entry in the client's file, its hook handlers."""

import json
from collections.abc import Mapping
from typing import Any

from lessons.agents.claude_code.settings import BYTE_ORDER_MARK, SERVER, TOOL, Handler, parsed, split_mark
from lessons.agents.settings_text import Node, Path, delete, find, insert
from lessons.errors import Refused

_SERVERS = "mcpServers"
# The client puts variables in for `${…}`, and starts the server as its own child, which `exec` leaves it.
_RESIDENT = "Resident"
_LINE = (
    '[ -n "$LESSONS_HOME" ] || LESSONS_HOME=$1; export LESSONS_HOME;'
    ' [ -x "$2" ] && [ -r "$3" ] && exec "$2" -I -S "$3" Resident; exit 0'
)
_FIELDS = (
    "session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode", "prompt_id", "agent_id", "agent_type",
    "tool_name", "tool_input", "tool_use_id",
)  # fmt: skip


def handlers(fallback: str, timeout: int) -> list[Handler]:
    """The server's call, and beside it the command that answers for a server that is not there."""
    call = {"type": "mcp_tool", "server": SERVER, "tool": TOOL, "input": {name: f"${{{name}}}" for name in _FIELDS}}
    command = {"type": "command", "command": "/bin/sh", "args": ["-c", fallback]}
    return [{**handler, "timeout": timeout} for handler in (call, command)]


def server_entry(python: str, entry: str, home: str) -> dict[str, Any]:
    """How the client starts the server; LESSONS_HOME of the client wins over the home named here."""
    for path in (python, entry, home):
        if "${" in path:
            raise Refused(
                f"The path {path!r} has `${{` in it, which Claude Code would replace: install without --warm."
            )
    return {"type": "stdio", "command": "/bin/sh", "args": ["-c", _LINE, _RESIDENT, home, python, entry]}


def paths_of(server: Mapping[str, Any]) -> tuple[str, str, str]:
    """Python, entry file and data home of a server of ours; empty where it is of another version."""
    arguments = server.get("args")
    if not isinstance(arguments, list) or len(arguments) != 6 or not all(isinstance(each, str) for each in arguments):
        return "", "", ""
    return arguments[4], arguments[5], arguments[3]


def plan_server(text: str | None, server: Mapping[str, Any], file: str) -> str:
    """The client's file with this server; one of that name that is not ours is never touched."""
    mark, rest = split_mark(text or "")
    rest = rest if rest.strip() else "{}\n"
    root = _read(rest, file)
    found = find(root, (_SERVERS, SERVER))
    if found is not None:
        if not is_our_server(found.value):
            raise Refused(f"{file} has a server `{SERVER}` of somebody else: rename it there; nothing was changed.")
        if found.value == server:
            return mark + rest
        rest = delete(rest, (_SERVERS, SERVER))
    if find(root, (_SERVERS,)) is None:
        return mark + insert(rest, (), _SERVERS, {SERVER: dict(server)})
    return mark + insert(rest, (_SERVERS,), SERVER, dict(server))


def remove_server(text: str, file: str, original: str | None = None) -> str:
    """The client's file without our server, and without a list that held nothing else; `original` as for settings."""
    mark, rest = split_mark(text)
    if registered_server(text, file) is None:
        return text
    before = find(_read(split_mark(original)[1], file), (_SERVERS,)) if original and original.strip() else None
    servers = find(_read(rest, file), (_SERVERS,))
    alone = servers is not None and len(servers.children) == 1
    path: Path = (_SERVERS,) if alone and (before is None or before.value != {}) else (_SERVERS, SERVER)
    return mark + delete(rest, path)


def registered_server(text: str, file: str) -> dict[str, Any] | None:
    """Our server as the client's file has it; None where it has none of ours."""
    if not text.strip(BYTE_ORDER_MARK + " \t\r\n"):
        return None
    found = find(_read(split_mark(text)[1], file), (_SERVERS, SERVER))
    return found.value if found is not None and is_our_server(found.value) else None


def is_our_server(value: object) -> bool:
    words = json.dumps(value, ensure_ascii=False).replace("\\\\", "/")
    return "lessons/hook/entry.py" in words and f" {_RESIDENT}" in words


def _read(text: str, file: str) -> Node:
    return parsed(text, file, _SERVERS)
