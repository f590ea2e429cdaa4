"""The client's own file in, whether the resident server named there answers as the hook's command does out."""

import json
import os
import subprocess
import time
from collections.abc import Mapping
from typing import Any

from lessons.agents.claude_code.install import server_of, servers_in
from lessons.agents.claude_code.server.registration import is_private, paths_of
from lessons.agents.claude_code.server.stub_server import NAME as STAND_IN
from lessons.doctor.canary import lines_for_server, payload_of
from lessons.doctor.data import Check
from lessons.errors import LessonsError

_SECONDS = 20
_INSTALL = "Run `lessons install` again."
_EVENT = "PreToolUse"


def check(
    client_config: str, name: str, commands: Mapping[str, str], folder: str, environment: dict[str, str]
) -> Check:
    """The server of this name, which the hook asks.

    `commands` are what this version would write for the same home; `folder` holds the lessons of the check.
    """
    try:
        server = servers_in(client_config).get(name)
        expected = server_of(commands)
    except LessonsError as wrong:
        return Check("server", False, str(wrong), "Correct the file.")
    if server is None:
        return Check("server", False, f"{client_config} does not name the server that the hook asks.", _INSTALL)
    python = paths_of(server)[0]
    if python and not os.access(python, os.X_OK):
        return Check("server", False, f"Its Python is gone: {python}.", _INSTALL)
    if server != expected or not is_private(name):
        detail = f"What {client_config} says is not what this version writes, so it is not started."
        return Check("server", False, detail, _INSTALL)
    try:
        began = time.perf_counter()
        said = _said([server["command"], *server["args"]], lines_for_server(_EVENT, folder), environment)
        took = (time.perf_counter() - began) * 1000
        by_command = _said(["/bin/sh", "-c", commands[_EVENT]], json.dumps(payload_of(_EVENT, folder)), environment)
    except subprocess.TimeoutExpired:
        return Check("server", False, f"It did not answer within {_SECONDS} seconds.", _INSTALL)
    if f'"name":"{STAND_IN}"' in said:
        return Check("server", False, "It cannot start.", _INSTALL)
    if _answer_in(said) is None:
        return Check("server", False, f"It did not answer as it should: {said.strip()[-300:]}", _INSTALL)
    if _answer_in(said) != by_command:
        return Check("server", False, "It answers otherwise than the hook's command.", _INSTALL)
    return Check("server", True, f"starts and answers, in {took:.0f} ms.")


def _said(command: list[str], text: str, environment: dict[str, str]) -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=environment, timeout=_SECONDS)
    return done.stdout or done.stderr


def _answer_in(said: str) -> str | None:
    """The text that the last reply brings."""
    try:
        last: Any = json.loads(said.splitlines()[-1])
        return str(last["result"]["content"][0]["text"])
    except (ValueError, LookupError, TypeError):
        return None
