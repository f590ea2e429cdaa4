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
# A project may bring a server of any name, which then answers in the place of the person's own of that name: so ours
# has one that no project can know.
_PRIVATE = re.compile(r"lessons-[0-9a-f]{8}")
# A call is waited for so long at most: a server that hangs must not hold up the person.
_CALL_TIMEOUT_SECONDS = 2
# The client puts variables in for `${…}`, and starts the server as its own child, which `exec` leaves it; after `exec`
# nobody could stand in for a Python that fails.
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
    """The call of the server of that name, and beside it the command that answers for one that is not there."""
    given = {name: f"${{{name}}}" for name in _FIELDS}
    call = {"type": "mcp_tool", "server": server, "tool": TOOL, "input": given, "timeout": _CALL_TIMEOUT_SECONDS}
    return [call, {"type": "command", "command": "/bin/sh", "args": ["-c", fallback], "timeout": timeout}]


def server_entry(python: str, entry: str, home: str) -> dict[str, Any]:
    """How the client starts the server; LESSONS_HOME of the client wins over the home named here."""
    for path in (python, entry, home):
        if "${" in path:
            raise Refused(
                f"The path {path!r} has `${{` in it, which Claude Code would replace: install without --warm."
            )
    return {"type": "stdio", "command": "/bin/sh", "args": ["-c", _LINE, _RESIDENT, home, python, entry]}


def paths_of(server: Mapping[str, Any]) -> tuple[str, str, str]:
    """Python, entry file and data home of a server of ours; empty if it is of another version."""
    arguments = server.get("args")
    if not isinstance(arguments, list) or len(arguments) != 6 or not all(isinstance(each, str) for each in arguments):
        return "", "", ""
    return arguments[4], arguments[5], arguments[3]


def plan_server(text: str | None, name: str, server: Mapping[str, Any], file: str) -> str:
    """The client's file with this server, and no other of ours; what is not ours is never touched."""
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
    """The client's file without any server of ours, and without a list that then holds nothing."""
    mark, rest = split_mark(text)
    for name in our_servers(text, file):
        servers = find(_read(rest, file), (_SERVERS,))
        path: Path = (_SERVERS,) if servers is not None and len(servers.children) == 1 else (_SERVERS, name)
        rest = delete(rest, path)
    return mark + rest


def our_servers(text: str, file: str) -> dict[str, dict[str, Any]]:
    """Those that start our entry file, by name; an older name that a project could guess is among them."""
    if not text.strip(BYTE_ORDER_MARK + " \t\r\n"):
        return {}
    found = find(_read(split_mark(text)[1], file), (_SERVERS,))
    every = found.value if found is not None else {}
    return {name: value for name, value in every.items() if is_our_server(value)}


def is_private(name: str) -> bool:
    return bool(_PRIVATE.fullmatch(name))


def is_our_server(value: object) -> bool:
    """By what it starts, whatever its name."""
    words = json.dumps(value, ensure_ascii=False).replace("\\\\", "/")
    return "lessons/hook/entry.py" in words and f" {_RESIDENT}" in words


def _read(text: str, file: str) -> Node:
    return parsed(text, file, _SERVERS)
