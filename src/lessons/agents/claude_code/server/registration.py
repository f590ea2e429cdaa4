"""Registers the server in Claude Code: its entry in the client's file, and its hook handlers."""

import json
import re
import secrets
from collections.abc import Mapping
from typing import Any

from lessons.agents.claude_code.server.stub_server import LOOP
from lessons.agents.claude_code.settings import BYTE_ORDER_MARK, TOOL, Handler, parsed, split_mark
from lessons.agents.settings_text import Node, Path, delete, find, insert
from lessons.errors import Refused

_SERVERS = "mcpServers"
# A project may define a server of any name, which then replaces the user's own server of that name: so ours has a name
# that no project can know.
_PRIVATE = re.compile(r"lessons-[0-9a-f]{8}")
# The maximum wait for a call: a hanging server must not delay the user.
_CALL_TIMEOUT_SECONDS = 2
# The client replaces variables in `${…}`, and starts the server as its own child, which `exec` preserves; after `exec`
# nothing could replace a failing Python.
_RESIDENT = "Resident"
_LINE = (
    '[ -n "$LESSONS_HOME" ] || LESSONS_HOME=$1; export LESSONS_HOME;'
    ' [ -x "$2" ] && [ -r "$3" ] && "$2" -I -S "$3" Resident --check </dev/null >/dev/null 2>&1'
    f' && exec "$2" -I -S "$3" Resident; {LOOP}'
)
_FIELDS = (
    "session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode", "prompt_id", "agent_id", "agent_type",
    "tool_name", "tool_input", "tool_use_id",
)  # fmt: skip


def new_name() -> str:
    return f"lessons-{secrets.token_hex(4)}"


def handlers(server: str, fallback: str, timeout: int) -> list[Handler]:
    """Returns the call of the server of that name, and the command that answers if the server is not running."""
    given = {name: f"${{{name}}}" for name in _FIELDS}
    call = {"type": "mcp_tool", "server": server, "tool": TOOL, "input": given, "timeout": _CALL_TIMEOUT_SECONDS}
    return [call, {"type": "command", "command": "/bin/sh", "args": ["-c", fallback], "timeout": timeout}]


def server_entry(python: str, entry: str, home: str) -> dict[str, Any]:
    """Returns how the client starts the server; the client's LESSONS_HOME overrides the home named here."""
    for path in (python, entry, home):
        if "${" in path:
            raise Refused(
                f"The path {path!r} has `${{` in it, which Claude Code would replace: install without --warm."
            )
    return {"type": "stdio", "command": "/bin/sh", "args": ["-c", _LINE, _RESIDENT, home, python, entry]}


def paths_of(server: Mapping[str, Any]) -> tuple[str, str, str]:
    """Returns Python, entry file and data home of our server; empty if it is of another version."""
    arguments = server.get("args")
    if not isinstance(arguments, list) or len(arguments) != 6 or not all(isinstance(each, str) for each in arguments):
        return "", "", ""
    return arguments[4], arguments[5], arguments[3]


def plan_server(text: str | None, name: str, server: Mapping[str, Any], file: str) -> str:
    """Returns the client's file with this server, and no other of ours; leaves everything else unchanged."""
    mark, rest = split_mark(text or "")
    rest = rest if rest.strip() else "{}\n"
    found = find(_read(rest, file), (_SERVERS, name))
    if found is not None and not is_our_server(found.value):
        raise Refused(f"{file} has a server `{name}` of another program: rename it there. Nothing was changed.")
    present = our_servers(rest, file)
    for other in present:
        if other != name or present[other] != server:
            rest = delete(rest, (_SERVERS, other))
    root = _read(rest, file)
    if find(root, (_SERVERS,)) is None:
        rest = insert(rest, (), _SERVERS, {name: dict(server)})
    elif find(root, (_SERVERS, name)) is None:
        rest = insert(rest, (_SERVERS,), name, dict(server))
    return mark + rest


def remove_server(text: str, file: str) -> str:
    """Returns the client's file without our servers, and without a list that is then empty."""
    mark, rest = split_mark(text)
    for name in our_servers(text, file):
        servers = find(_read(rest, file), (_SERVERS,))
        path: Path = (_SERVERS,) if servers is not None and len(servers.children) == 1 else (_SERVERS, name)
        rest = delete(rest, path)
    return mark + rest


def our_servers(text: str, file: str) -> dict[str, dict[str, Any]]:
    """Returns servers that start our entry file, by name; including one with an older, guessable name."""
    if not text.strip(BYTE_ORDER_MARK + " \t\r\n"):
        return {}
    found = find(_read(split_mark(text)[1], file), (_SERVERS,))
    every = found.value if found is not None else {}
    return {name: value for name, value in every.items() if is_our_server(value)}


def is_private(name: str) -> bool:
    return bool(_PRIVATE.fullmatch(name))


def is_our_server(value: object) -> bool:
    """Decides by what it starts, whatever its name."""
    words = json.dumps(value, ensure_ascii=False).replace("\\\\", "/")
    return "lessons/hook/entry.py" in words and f" {_RESIDENT}" in words


def _read(text: str, file: str) -> Node:
    return parsed(text, file, _SERVERS)
