"""The resident server in the client's files: in, out and back, and nothing of anybody else's is touched."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.agents.claude_code.command import build_command, build_fallback
from lessons.agents.claude_code.install import (
    client_config_path,
    hook_commands,
    install,
    installed_commands,
    is_warm,
    register_server,
    server_in,
    server_of,
    uninstall,
    unregister_server,
)
from lessons.agents.claude_code.settings import REGISTRATIONS, Wanted, plan, remove
from lessons.agents.claude_code.warm import handlers, is_our_server, paths_of, plan_server, remove_server, server_entry
from lessons.errors import DamagedFile, LessonsError, Refused
from tests.agents.claude_code.test_settings import settings_texts

ENTRY = "/x/lessons/hook/entry.py"
COMMANDS = {event: build_command(event, "/usr/bin/python3", ENTRY, "/h", "/v") for event in REGISTRATIONS}
FALLBACK = build_fallback("PreToolUse", "/usr/bin/python3", ENTRY, "/h")
WARM: dict[str, Wanted] = {**COMMANDS, "PreToolUse": handlers(FALLBACK, 5)}
MOVED: dict[str, Wanted] = {**COMMANDS, "PreToolUse": handlers(FALLBACK.replace("/usr/bin", "/opt"), 5)}
SERVER = server_entry("/usr/bin/python3", ENTRY, "/h")
OLDER = {"type": "stdio", "command": "/usr/bin/python3", "args": ["-I", ENTRY + " Resident"]}


def before_a_call(text: str) -> list[dict[str, Any]]:
    groups = json.loads(text.removeprefix("\ufeff"))["hooks"]["PreToolUse"]
    return [handler for group in groups for handler in group["hooks"]]


@pytest.mark.parametrize(
    "handler",
    [
        {"type": "mcp_tool", "server": "lessons", "tool": "other"},
        {"type": "mcp_tool", "server": "other", "tool": "hook"},
        {"type": "mcp_tool"},
        {"type": "command", "command": "/bin/sh", "args": ["-c", "echo lessons"]},
    ],
)
def test_handlers_of_others_stay(handler: dict[str, Any]) -> None:
    text = json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [handler]}]}})
    assert remove(text) == text
    assert before_a_call(plan(text, WARM)) == [handler, *handlers(FALLBACK, 5)]
    assert remove(plan(text, WARM)) == text


@settings(deadline=None)
@given(settings_texts())
def test_any_settings_in_over_and_out(text: str) -> None:
    warm = plan(text, WARM)
    assert plan(warm, WARM) == warm
    assert remove(warm, original=text) == text
    plain = plan(warm, COMMANDS)
    assert [handler.get("type") for handler in before_a_call(plain)].count("mcp_tool") == 0
    assert plan(plain, COMMANDS) == plain
    assert remove(plain, original=text) == text
    over = plan(plan(text, COMMANDS), WARM)
    assert {handler["type"] for handler in before_a_call(over)[-2:]} == {"command", "mcp_tool"}
    assert remove(over, original=text) == text
    moved = plan(warm, MOVED)
    assert moved == plan(text, MOVED)


def test_what_a_person_chose_for_our_handlers_stays() -> None:
    text = plan("{}", COMMANDS).replace('"timeout": 5', '"timeout": 30').replace('"matcher": "*"', '"matcher": "Bash"')
    warm = plan(text, WARM)
    [group] = json.loads(warm)["hooks"]["PreToolUse"]
    assert group["matcher"] == "Bash"
    assert sorted((handler["type"], handler["timeout"]) for handler in group["hooks"]) == [
        ("command", 30),
        ("mcp_tool", 5),
    ]
    assert plan(warm, COMMANDS) == text


@pytest.mark.parametrize("arguments", [None, [], ["-c", None], ["-c", "old", FALLBACK], "-c", {"a": FALLBACK}])
def test_arguments_of_any_form_are_replaced(arguments: object) -> None:
    odd = {"type": "command", "command": f"/bin/sh {ENTRY} PreToolUse", "args": arguments, "timeout": 9}
    text = json.dumps({"hooks": {"PreToolUse": [{"hooks": [odd]}]}})
    command = {"type": "command", "command": "/bin/sh", "args": ["-c", FALLBACK], "timeout": 9}
    assert command in before_a_call(plan(text, WARM))
    assert before_a_call(plan(text, COMMANDS)) == [{"type": "command", "command": COMMANDS["PreToolUse"], "timeout": 9}]


def test_repetitions_are_taken_out() -> None:
    twice = {"hooks": handlers(FALLBACK, 5) + handlers(FALLBACK, 7)}
    text = json.dumps({"hooks": {"PreToolUse": [twice, twice], "Stop": [twice]}})
    after = json.loads(plan(text, WARM))["hooks"]
    assert after["PreToolUse"] == [{"hooks": handlers(FALLBACK, 5)}]
    assert "Stop" not in after


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("{", DamagedFile, "c.json, line 1"),
        ("[]", Refused, "the whole file is a list"),
        ('{"mcpServers": []}', Refused, "`mcpServers` is a list and should be an object"),
        ('{"mcpServers": {"lessons": {"command": "mine"}}}', Refused, "has a server `lessons` of somebody else"),
        ('{"mcpServers": {"lessons": null}}', Refused, "of somebody else"),
    ],
)
def test_a_file_that_is_not_ours_to_change(text: str, error: type[LessonsError], words: str) -> None:
    with pytest.raises(error, match=words):
        plan_server(text, SERVER, "c.json")


def test_a_server_of_somebody_else_is_not_taken_out() -> None:
    for text in ('{"mcpServers": {"lessons": {"command": "mine"}}}', '{"mcpServers": {}}', "{}", "", " \n"):
        assert remove_server(text, "c.json") == text


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
)


@settings(deadline=None)
@given(
    st.dictionaries(st.text(max_size=6), values, max_size=3),
    st.none() | st.dictionaries(st.text(max_size=6).filter(lambda name: name != "lessons"), values, max_size=3),
    st.sampled_from([None, 0, 2, 4, "\t"]),
    st.sampled_from(["", "\ufeff"]),
)
def test_any_client_file_in_and_out(
    document: dict[str, Any], servers: dict[str, Any] | None, indent: int | str | None, mark: str
) -> None:
    if servers is not None:
        document = {**document, "mcpServers": servers}
    elif "mcpServers" in document:
        return
    text = mark + json.dumps(document, indent=indent, ensure_ascii=False)
    after = plan_server(text, SERVER, "c.json")
    merged = {**document, "mcpServers": {**(servers or {}), "lessons": SERVER}}
    assert json.dumps(json.loads(after.removeprefix("\ufeff"))) == json.dumps(merged)
    assert plan_server(after, SERVER, "c.json") == after
    assert remove_server(after, "c.json", text) == text
    if servers != {}:
        assert remove_server(after, "c.json") == text


def test_another_version_is_replaced() -> None:
    text = json.dumps({"mcpServers": {"a": {}, "lessons": OLDER, "b": {}}}, indent=2)
    assert is_our_server(OLDER)
    assert paths_of(OLDER) == ("", "", "")
    assert paths_of(SERVER) == ("/usr/bin/python3", ENTRY, "/h")
    after = json.loads(plan_server(text, SERVER, "c.json"))
    assert after == {"mcpServers": {"a": {}, "b": {}, "lessons": SERVER}}


def test_a_path_that_the_client_would_change_is_refused() -> None:
    with pytest.raises(Refused, match="without --warm"):
        server_entry("/usr/bin/python3", ENTRY, "/home/${USER}/lessons")
    assert "${" not in json.dumps(SERVER)


def test_files_come_back_as_they_were(tmp_path: Path) -> None:
    file, config = tmp_path / "settings.json", tmp_path / ".claude.json"
    file.write_text('{\n    "model": "opus"\n}')
    config.write_text('{"numStartups":3,"mcpServers":{},"projects":{"/a":{}}}')
    config.chmod(0o640)
    before = {path: path.read_bytes() for path in (file, config)}
    home = str(tmp_path / "home")
    server = server_of(hook_commands(home))
    assert not is_warm(str(file))
    assert register_server(str(config), server, dry_run=True).changed
    assert install(str(file), home, dry_run=True, warm=True).changed
    assert {path: path.read_bytes() for path in before} == before
    first = (register_server(str(config), server), install(str(file), home, warm=True))
    assert [report.changed for report in first] == [True, True]
    assert first[0].backup == f"{config}.lessons-backup"
    assert is_warm(str(file))
    assert server_in(str(config)) == server
    assert installed_commands(str(file)).keys() == REGISTRATIONS.keys()
    assert "--behind-server" in installed_commands(str(file))["PreToolUse"]
    second = (register_server(str(config), server), install(str(file), home, warm=True))
    assert [report.changed for report in second] == [False, False]
    assert config.stat().st_mode & 0o777 == 0o640
    assert [uninstall(str(file)).changed, unregister_server(str(config)).changed] == [True, True]
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    config = str(tmp_path / "none" / ".claude.json")
    assert server_in(config) is None
    assert not unregister_server(config).changed
    assert not is_warm(config)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HOME": "/home/me"}, "/home/me/.claude.json"),
        ({"HOME": "/home/me", "CLAUDE_CONFIG_DIR": "/c d"}, "/c d/.claude.json"),
        ({"HOME": "/home/me", "CLAUDE_CONFIG_DIR": ""}, "/home/me/.claude.json"),
    ],
)
def test_where_the_client_keeps_its_servers(environment: dict[str, str], expected: str) -> None:
    assert client_config_path(environment) == expected
