"""Whether the resident server in the client's own file answers like the hook's command."""

import json
import os
import subprocess
import time
from collections.abc import Mapping
from typing import Any

from lessons.agents.claude_code.install import server_of, servers_in
from lessons.agents.claude_code.server.registration import is_private, paths_of
from lessons.agents.claude_code.server.stub_server import NAME as STUB_NAME
from lessons.agents.claude_code.settings import TOOL
from lessons.check import Check
from lessons.errors import LessonsError

_TIMEOUT = 20
_INSTALL = "Run `lessons install` again."
_EVENT = "PreToolUse"


def check(
    client_config: str,
    name: str,
    commands: Mapping[str, str],
    payload: Mapping[str, object],
    environment: dict[str, str],
) -> Check:
    """Checks the server of this name, which the hook asks.

    `commands` are what this version would write for the same home; a lesson in `environment` fires on `payload`.
    """
    try:
        server = servers_in(client_config).get(name)
        expected = server_of(commands)
    except LessonsError as wrong:
        return Check("server", False, str(wrong), "Fix the file.")
    if server is None:
        return Check("server", False, f"{client_config} does not name the server that the hook asks.", _INSTALL)
    python = paths_of(server)[0]
    if python and not os.access(python, os.X_OK):
        return Check("server", False, f"Its Python is missing: {python}.", _INSTALL)
    if server != expected or not is_private(name):
        detail = f"What {client_config} says is not what this version writes, so it was not started."
        return Check("server", False, detail, _INSTALL)
    try:
        began = time.perf_counter()
        output = _output([server["command"], *server["args"]], _lines_for(payload), environment)
        took = (time.perf_counter() - began) * 1000
        by_command = _output(["/bin/sh", "-c", commands[_EVENT]], json.dumps(payload), environment)
    except subprocess.TimeoutExpired:
        return Check("server", False, f"It did not answer within {_TIMEOUT} seconds.", _INSTALL)
    if f'"name":"{STUB_NAME}"' in output:
        return Check("server", False, "It cannot start.", _INSTALL)
    if _answer_in(output) is None:
        return Check("server", False, f"Unexpected answer: {output.strip()[-300:]}", _INSTALL)
    if _answer_in(output) != by_command:
        return Check("server", False, "Its answer differs from that of the hook's command.", _INSTALL)
    return Check("server", True, f"starts and answers, in {took:.0f} ms.")


def _lines_for(payload: Mapping[str, object]) -> str:
    """Returns the client's input for the server: the handshake, then the same call, whose fields are all text."""
    sent = {**payload, "tool_use_id": f"{payload['tool_use_id']}-server"}
    arguments = {key: value if isinstance(value, str) else json.dumps(value) for key, value in sent.items()}
    messages: list[dict[str, object]] = [
        {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/list"},
        {"id": 2, "method": "tools/call", "params": {"name": TOOL, "arguments": arguments}},
    ]
    return "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)


def _output(command: list[str], text: str, environment: dict[str, str]) -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=environment, timeout=_TIMEOUT)
    return done.stdout or done.stderr


def _answer_in(output: str) -> str | None:
    """Returns the text in the last reply."""
    try:
        last: Any = json.loads(output.splitlines()[-1])
        return str(last["result"]["content"][0]["text"])
    except (ValueError, LookupError, TypeError):
        return None
