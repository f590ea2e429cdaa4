"""The entry of our resident server in the client's own file: added, removed, and tried by `doctor`.

The hook's settings ask the server with an `mcp_tool` handler; the command beside it answers if no server runs.
"""

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from lessons.agents.base import Check, InstallReport
from lessons.agents.hook_command import Places
from lessons.agents.hook_settings import BYTE_ORDER_MARK, TOOL, parsed, split_mark
from lessons.agents.install import read_text, replace, report
from lessons.agents.trial import run_hook
from lessons.errors import LessonsError, Refused
from lessons.json_edit import Path, delete, find, insert

Server = dict[str, Any]
_SERVERS = "mcpServers"
_NEW = "{}\n"  # a file that has nothing yet
_AGAIN = "Run `lessons install --warm` again."
# A project may define a server of any name, which then replaces the user's own server of that name: so ours has a name
# that no project can know.
PRIVATE_NAME = re.compile(r"lessons-[0-9a-f]{8}")

# A server that ends at once would show the user an error at every call: this loop answers instead of one that cannot
# start, and its answers are empty. No variable is written as a dollar sign and braces, because the client would replace
# it: `$d{…}` becomes that only in `eval`. The client puts the id first or last: a search from that end is short.
_STUB = (
    r"""d='$'; reply() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }; while IFS= read -r line; do"""
    """ case $line in '{"jsonrpc":"2.0","id":'*) eval "id=$d{line#*'\\"id\\":'}" ;;"""
    """ *'"id":'*) eval "id=$d{line##*'\\"id\\":'}" ;; *) continue ;; esac; eval "id=$d{id%%[,\\}]*}";"""
    r""" case $line in *'"method":'*'"tools/call"'*) reply '"result":{"content":[{"type":"text","text":"{}"}]}' ;;"""
    """ *'"method":'*'"initialize"'*'"protocolVersion":'*) eval "version=$d{line#*'\\"protocolVersion\\":'}";"""
    """ eval "version=$d{version%%[,\\}]*}"; reply '"result":{"protocolVersion":'"$version"',"capabilities":"""
    """{"tools":{}},"serverInfo":{"name":"lessons-stand-in","version":"0"}}' ;;"""
    """ *'"method":'*'"tools/list"'*) reply '"result":{"tools":[]}' ;; *'"method":'*'"ping"'*) reply '"result":{}' ;;"""
    """ *) reply '"error":{"code":-32601,"message":"no such method"}' ;; esac; done; exit 0"""
)
# The client starts the server as its own child, which `exec` preserves; after `exec` nothing could replace a failing
# Python.
_LINE = (
    "LESSONS_HOME=$1; export LESSONS_HOME;"
    ' [ -x "$2" ] && [ -r "$3" ] && "$2" -I -S "$3" Resident --check </dev/null >/dev/null 2>&1'
    f' && exec "$2" -I -S "$3" Resident; {_STUB}'
)


def client_config_file(given: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """Returns the file with the client's servers, among much else."""
    folder = environment.get("CLAUDE_CONFIG_DIR") or environment.get("HOME") or os.path.expanduser("~")
    return os.path.abspath(given or os.path.join(folder, ".claude.json"))


def server_of(places: Places) -> Server:
    """Returns how the client starts the server of this installation."""
    for path in (places.python, places.entry, places.home):
        if "${" in path:
            raise Refused(
                f"The path {path!r} has `${{` in it, which Claude Code would replace: install without --warm."
            )
    return {
        "type": "stdio",
        "command": "/bin/sh",
        "args": ["-c", _LINE, "Resident", places.home, places.python, places.entry],
    }


def servers_in(file: str, text: str | None = None) -> dict[str, Server]:
    """Returns servers that start our entry file, by name; including one with an older, guessable name."""
    content = read_text(file) if text is None else text
    if not (content or "").strip(BYTE_ORDER_MARK + " \t\r\n"):
        return {}
    found = find(parsed(split_mark(content or "")[1], file, _SERVERS), (_SERVERS,))
    return {name: value for name, value in (found.value if found else {}).items() if _is_ours(value)}


def _is_ours(value: object) -> bool:
    """Decides by what it starts, whatever its name."""
    words = json.dumps(value, ensure_ascii=False).replace("\\\\", "/")
    return "lessons/hook/entry.py" in words and " Resident" in words


def plan_server(text: str | None, file: str, name: str = "", server: Server | None = None) -> str:
    """Returns the client's file with this server, and no other of ours; leaves everything else unchanged."""
    mark, rest = split_mark(text or "")
    rest = rest if rest.strip() or server is None else _NEW
    if server is not None:
        found = find(parsed(rest, file, _SERVERS), (_SERVERS, name))
        if found is not None and not _is_ours(found.value):
            raise Refused(f"{file} has a server `{name}` of another program: rename it there. Nothing was changed.")
    for other, present in servers_in(file, rest).items():
        if other != name or present != server:
            servers = find(parsed(rest, file, _SERVERS), (_SERVERS,))
            is_last = server is None and servers is not None and len(servers.children) == 1
            path: Path = (_SERVERS,) if is_last else (_SERVERS, other)
            rest = delete(rest, path)
    if server is not None:
        root = parsed(rest, file, _SERVERS)
        if find(root, (_SERVERS,)) is None:
            rest = insert(rest, (), _SERVERS, {name: server})
        elif find(root, (_SERVERS, name)) is None:
            rest = insert(rest, (_SERVERS,), name, server)
    return mark + rest


def change_servers(file: str, dry_run: bool = False, name: str = "", server: Server | None = None) -> InstallReport:
    """Keeps no backup of a file that may have keys, and that the client rewrites all the time."""
    before = read_text(file)
    if before is None and server is None:
        return InstallReport(file, changed=False, diff="")
    after = plan_server(before, file, name, server)
    replace(file, before, after, dry_run)
    if after != before and not dry_run and split_mark(after)[1] == _NEW:  # nothing is left of what we have created
        with suppress(OSError):  # a leftover file does no harm
            os.unlink(file)
    return report(file, before, after)


def check_server(file: str, name: str, places: Places, payload: Mapping[str, object], folder: str, word: str) -> Check:
    """Whether the server that the hook asks answers `payload` with the word."""
    try:
        server, expected = servers_in(file).get(name), server_of(places)
    except LessonsError as wrong:
        return Check("server", False, str(wrong), "Fix the file.")
    if server is None:
        return Check("server", False, f"{file} does not name the server that the hook asks.", _AGAIN)
    if server != expected or not PRIVATE_NAME.fullmatch(name):
        detail = f"What {file} says is not what this version writes, so it was not started."
        return Check("server", False, detail, _AGAIN)
    # All fields of a call are text.
    given = {key: value if isinstance(value, str) else json.dumps(value) for key, value in payload.items()}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": TOOL, "arguments": given}}
    command = [server["command"], *server["args"][:3], folder, *server["args"][4:]]
    return run_hook("server", command, request, folder, _AGAIN, lambda output: word in output)
