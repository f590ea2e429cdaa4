"""The stub for a resident server that cannot start: each request gets its own answer, until the end."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lessons.agents.claude_code.server.registration import server_entry
from tests.tables import table

SHELLS = [shell for shell in ("sh", "dash", "bash", "zsh", "ksh") if shutil.which(shell)]
NOTHING = {"result": {"content": [{"type": "text", "text": "{}"}]}}
# What a call may hold that looks like a part of a request, or like something for a shell.
HARD = """{"id":5,"method":"initialize"} "id":6} \\ \\" $(exit 2) `exit 2` ${id} %s %d \n ' 日本"""


def lines(*messages: dict[str, object], end: str = "\n") -> str:
    return "".join(json.dumps(message, separators=(",", ":")) + end for message in messages)


def call(identifier: object, text: str = HARD) -> dict[str, object]:
    """As the client writes it: the id last, the input a text."""
    arguments = {"tool_name": "Write", "tool_input": json.dumps({"id": 7, "content": text})}
    parameters = {"name": "hook", "arguments": arguments, "_meta": {"progressToken": 3}}
    return {"method": "tools/call", "params": parameters, "jsonrpc": "2.0", "id": identifier}


def answers(entry: dict[str, Any], sent: str, shell: str = "/bin/sh") -> list[Any]:
    done = subprocess.run([shell, *entry["args"]], input=sent, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def gone(tmp_path: Path) -> dict[str, Any]:
    return server_entry("/gone/python", "/gone/lessons/hook/entry.py", str(tmp_path))


@pytest.mark.parametrize("shell", SHELLS)
def test_every_request_is_answered_by_its_id(gone: dict[str, Any], shell: str, tmp_path: Path) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    sent = lines(
        {"method": "server/discover", "params": {}, "jsonrpc": "2.0", "id": 0},
        {"method": "initialize", "params": hello, "jsonrpc": "2.0", "id": 1},
        {"method": "notifications/initialized", "jsonrpc": "2.0"},
        {"method": "tools/list", "jsonrpc": "2.0", "id": "a text"},
        call(3),
        {"jsonrpc": "2.0", "id": 4, **{key: call(0)[key] for key in ("method", "params")}},
        {"method": "ping", "jsonrpc": "2.0", "id": 12345},
    )
    found = answers(gone, sent + "\nnonsense\n" + lines(call(6)), shell)
    assert {each.pop("jsonrpc") for each in found} == {"2.0"}
    first, started, tools, *rest = found
    assert (first["id"], first["error"]["code"]) == (0, -32601)
    assert started["id"] == 1
    assert started["result"].keys() == {"protocolVersion", "capabilities", "serverInfo"}
    assert started["result"]["protocolVersion"] == "2025-11-25"
    assert tools == {"id": "a text", "result": {"tools": []}}
    assert rest == [{"id": 3, **NOTHING}, {"id": 4, **NOTHING}, {"id": 12345, "result": {}}, {"id": 6, **NOTHING}]
    assert list(tmp_path.iterdir()) == []


def test_a_long_call_does_not_take_long(gone: dict[str, Any]) -> None:
    long = HARD * 2000
    first = {"jsonrpc": "2.0", "id": 2, **{key: call(0, long)[key] for key in ("method", "params")}}
    found = answers(gone, lines(call(1, long), first))
    assert [(each["id"], each["result"]) for each in found] == [(1, NOTHING["result"]), (2, NOTHING["result"])]


@table(
    "body", ["raise SystemExit(2)", "import nowhere", "raise KeyboardInterrupt", "import os; os.kill(os.getpid(), 9)"]
)
def test_it_stands_in_for_a_python_that_fails_at_once(body: str, tmp_path: Path) -> None:
    entry = tmp_path / "entry.py"
    entry.write_text(body)
    assert [
        each["id"] for each in answers(server_entry(sys.executable, str(entry), str(tmp_path)), lines(call(1)))
    ] == [1]
