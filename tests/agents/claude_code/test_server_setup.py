"""Adding, removing and restoring the resident server in the client's files leaves everything else unchanged."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from lessons.agents.claude_code.install import (
    INSTALLER,
    change_servers,
    client_config_file,
    install_hook,
    plan_server,
    server_of,
    servers_in,
)
from lessons.agents.hook_command import Places, places_of
from lessons.agents.hook_lines import line_of
from lessons.agents.hook_settings import Wanted, remove
from lessons.agents.table import AGENTS
from lessons.errors import DamagedFile, LessonsError, Refused
from tests.agents.claude_code.test_settings import plan, settings_texts
from tests.tables import table

NAME = "lessons-0123abcd"
ENTRY = "/x/lessons/hook/entry.py"
COMMANDS = {event: line_of(event, "/h") for event in AGENTS["claude-code"].events}
WARM: dict[str, Wanted] = {**COMMANDS, "PreToolUse": INSTALLER.served(NAME, "/h")}
MOVED: dict[str, Wanted] = {**COMMANDS, "PreToolUse": INSTALLER.served(NAME, "/opt/h")}
PLACES = Places("/usr/bin/python3", ENTRY, "/h", "/v")
SERVER = server_of(PLACES)
OLDER = {"type": "stdio", "command": "/usr/bin/python3", "args": ["-I", ENTRY + " Resident"]}


def before_a_call(text: str) -> list[dict[str, Any]]:
    groups = json.loads(text.removeprefix("\ufeff"))["hooks"]["PreToolUse"]
    return [handler for group in groups for handler in group["hooks"]]


@table(
    "handler",
    [
        {"type": "mcp_tool", "server": "lessons", "tool": "other"},
        {"type": "mcp_tool", "server": "lessons-0123abcd", "tool": "other"},
        {"type": "mcp_tool", "server": "lessons-0123abcde", "tool": "hook"},
        {"type": "mcp_tool", "server": ["lessons"], "tool": "hook"},
        {"type": "mcp_tool", "server": "other", "tool": "hook"},
        {"type": "mcp_tool"},
        {"type": "command", "command": "/bin/sh", "args": ["-c", "echo lessons"]},
    ],
)
def test_handlers_of_others_stay(handler: dict[str, Any]) -> None:
    text = json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [handler]}]}})
    assert remove(text) == text
    assert before_a_call(plan(text, WARM)) == [handler, *INSTALLER.served(NAME, "/h")]
    assert remove(plan(text, WARM)) == text


@settings(deadline=None, max_examples=25)
@given(settings_texts())
def test_any_settings_in_over_and_out(text: str) -> None:
    warm = plan(text, WARM)
    assert plan(warm, WARM) == warm
    plain = plan(warm, COMMANDS)
    assert [handler.get("type") for handler in before_a_call(plain)].count("mcp_tool") == 0
    assert plan(plain, COMMANDS) == plain
    over = plan(plan(text, COMMANDS), WARM)
    assert {handler["type"] for handler in before_a_call(over)[-2:]} == {"command", "mcp_tool"}
    assert remove(warm) == remove(plain) == remove(over) == remove(plan(warm, MOVED))


def test_what_a_person_chose_for_our_handlers_stays() -> None:
    text = plan("{}", COMMANDS).replace('"timeout": 5', '"timeout": 30').replace('"matcher": "*"', '"matcher": "Bash"')
    warm = plan(text, WARM)
    [group] = json.loads(warm)["hooks"]["PreToolUse"]
    assert group["matcher"] == "Bash"
    assert sorted((handler["type"], handler["timeout"]) for handler in group["hooks"]) == [
        ("command", 30),
        ("mcp_tool", 2),
    ]
    assert plan(warm, COMMANDS) == text


@table(
    ("text", "error", "words"),
    [
        ("{", DamagedFile, "c.json, line 1"),
        ("[]", Refused, "the whole file is a list"),
        ('{"mcpServers": []}', Refused, "`mcpServers` is a list and should be an object"),
        (
            '{"mcpServers": {"lessons-0123abcd": {"command": "mine"}}}',
            Refused,
            "has a server `lessons-0123abcd` of another",
        ),
        ('{"mcpServers": {"lessons-0123abcd": null}}', Refused, "of another program"),
    ],
)
def test_a_file_that_is_not_ours_to_change(text: str, error: type[LessonsError], words: str) -> None:
    with pytest.raises(error, match=words):
        plan_server(text, "c.json", NAME, SERVER)


def test_a_server_of_somebody_else_is_not_taken_out() -> None:
    for text in (f'{{"mcpServers": {{"{NAME}": {{"command": "mine"}}}}}}', '{"mcpServers": {}}', "{}", "", " \n"):
        assert plan_server(text, "c.json") == text


@table(
    "text",
    [
        "{}",
        '{"a":1,"mcpServers":{"b":{}}}',
        '{\n\t"mcpServers": {\n\t\t"b": {"command": "x"}\n\t},\n\t"z": "ü"\n}\n',
        '\ufeff{\r\n  "a": []\r\n}\r\n',
    ],
)
def test_the_clients_file_in_and_out(text: str) -> None:
    after = plan_server(text, "c.json", NAME, SERVER)
    document = json.loads(text.removeprefix("\ufeff"))
    merged = {**document, "mcpServers": {**document.get("mcpServers", {}), NAME: SERVER}}
    assert json.loads(after.removeprefix("\ufeff")) == merged
    assert plan_server(after, "c.json", NAME, SERVER) == after
    assert plan_server(after, "c.json") == text


@table("text", [None, "", " \n", "\ufeff", "\ufeff\r\n", "{}\n"])
def test_no_empty_object_is_left_of_a_file_without_content(text: str | None, tmp_path: Path) -> None:
    file = tmp_path / "of-the-client" / "c.json"
    file.parent.mkdir()
    if text is not None:
        file.write_text(text, newline="")
    change_servers(str(file), False, NAME, SERVER)
    assert change_servers(str(file), dry_run=True).changed and file.exists()
    assert change_servers(str(file)).changed
    assert list(file.parent.iterdir()) == []


def test_another_version_is_replaced() -> None:
    """Whatever its name is: an older one could be guessed."""
    older = {"a": {}, "lessons": OLDER, "b": {}, "lessons-fedc4567": OLDER, "lessons-of-mine": {"command": "mine"}}
    text = json.dumps({"mcpServers": older}, indent=2)
    assert servers_in("c.json", text).keys() == {"lessons", "lessons-fedc4567"}
    after = json.loads(plan_server(text, "c.json", NAME, SERVER))
    others = {"a": {}, "b": {}, "lessons-of-mine": {"command": "mine"}}
    assert after == {"mcpServers": {**others, NAME: SERVER}}
    assert json.loads(plan_server(text, "c.json")) == {"mcpServers": others}
    settings = json.dumps({"hooks": {"PreToolUse": [{"hooks": INSTALLER.served("lessons", "/h")}]}})
    assert before_a_call(plan(settings, WARM)) == INSTALLER.served(NAME, "/h")


def test_a_path_that_the_client_would_change_is_refused() -> None:
    with pytest.raises(Refused, match="without --warm"):
        server_of(PLACES._replace(home="/home/${USER}/lessons"))
    assert "${" not in json.dumps(SERVER)


def test_files_come_back_as_they_were(tmp_path: Path) -> None:
    file, config = tmp_path / "settings.json", tmp_path / ".claude.json"
    file.write_text('{\n    "model": "opus"\n}')
    config.write_text('{"numStartups":3,"mcpServers":{"a":{}},"projects":{"/a":{}}}')
    config.chmod(0o640)
    before = {path: path.read_bytes() for path in (file, config)}
    home = str(tmp_path.with_name("home"))
    server = server_of(places_of(home))
    assert INSTALLER.asked_server(str(file)) == ""
    assert change_servers(str(config), True, NAME, server).changed
    assert INSTALLER.install(str(file), home, dry_run=True, server=NAME).changed
    assert {path: path.read_bytes() for path in before} == before
    first = (change_servers(str(config), False, NAME, server), INSTALLER.install(str(file), home, server=NAME))
    assert [report.changed for report in first] == [True, True]
    assert first[0].backup is None
    assert not (tmp_path / ".claude.json.lessons-backup").exists()
    assert INSTALLER.asked_server(str(file)) == NAME
    assert servers_in(str(config)) == {NAME: server}
    assert INSTALLER.installed_commands(str(file)).keys() == AGENTS["claude-code"].events.keys()
    assert "PreToolUse '' beside;" in INSTALLER.installed_commands(str(file))["PreToolUse"]
    second = (change_servers(str(config), False, NAME, server), INSTALLER.install(str(file), home, server=NAME))
    assert [report.changed for report in second] == [False, False]
    assert config.stat().st_mode & 0o777 == 0o640
    assert [INSTALLER.uninstall(str(file)).changed, change_servers(str(config)).changed] == [True, True]
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@table(
    ("environment", "expected"),
    [
        ({"HOME": "/home/me"}, "/home/me/.claude.json"),
        ({"HOME": "/home/me", "CLAUDE_CONFIG_DIR": "/c d"}, "/c d/.claude.json"),
        ({"HOME": "/home/me", "CLAUDE_CONFIG_DIR": ""}, "/home/me/.claude.json"),
    ],
)
def test_where_the_client_keeps_its_servers(environment: dict[str, str], expected: str) -> None:
    assert client_config_file(None, environment) == expected


def test_windows_is_told_to_do_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(Refused, match="without it"):
        install_hook(str(tmp_path / "settings.json"), str(tmp_path), None, False, True, lambda words: None)
    assert list(tmp_path.iterdir()) == []


# The stub for a server that cannot start: each request gets its own answer, until the end.

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


def _entry(python: str, entry: str, home: Path) -> dict[str, Any]:
    return server_of(Places(python, entry, str(home), "/v"))


@pytest.fixture
def gone(tmp_path: Path) -> dict[str, Any]:
    return _entry("/gone/python", "/gone/lessons/hook/entry.py", tmp_path)


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


@table(
    "body", ["raise SystemExit(2)", "import nowhere", "raise KeyboardInterrupt", "import os; os.kill(os.getpid(), 9)"]
)
def test_it_stands_in_for_a_python_that_fails_at_once(body: str, tmp_path: Path) -> None:
    entry = tmp_path / "entry.py"
    entry.write_text(body)
    assert [each["id"] for each in answers(_entry(sys.executable, str(entry), tmp_path), lines(call(1)))] == [1]
