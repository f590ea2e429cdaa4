"""Adding, removing and restoring the resident server in the client's files leaves everything else unchanged."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.agents.claude_code.install import (
    asked_server,
    client_config_path,
    hook_commands,
    install,
    installed_commands,
    register_server,
    server_of,
    servers_in,
    uninstall,
    unregister_server,
)
from lessons.agents.claude_code.server.registration import (
    handlers,
    is_our_server,
    is_private,
    new_name,
    our_servers,
    paths_of,
    plan_server,
    remove_server,
    server_entry,
)
from lessons.agents.claude_code.settings import REGISTRATIONS, Wanted, plan, remove
from lessons.agents.hook_command import build_command, build_fallback
from lessons.errors import DamagedFile, LessonsError, Refused
from tests.agents.claude_code.test_settings import settings_texts
from tests.tables import table

NAME = "lessons-0123abcd"
ENTRY = "/x/lessons/hook/entry.py"
COMMANDS = {event: build_command(event, "/usr/bin/python3", ENTRY, "/h", "/v") for event in REGISTRATIONS}
FALLBACK = build_fallback("PreToolUse", "/usr/bin/python3", ENTRY, "/h")
WARM: dict[str, Wanted] = {**COMMANDS, "PreToolUse": handlers(NAME, FALLBACK, 5)}
MOVED: dict[str, Wanted] = {**COMMANDS, "PreToolUse": handlers(NAME, FALLBACK.replace("/usr/bin", "/opt"), 5)}
SERVER = server_entry("/usr/bin/python3", ENTRY, "/h")
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
    assert before_a_call(plan(text, WARM)) == [handler, *handlers(NAME, FALLBACK, 5)]
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
        ("mcp_tool", 2),
    ]
    assert plan(warm, COMMANDS) == text


@table("arguments", [None, [], ["-c", None], ["-c", "old", FALLBACK], "-c", {"a": FALLBACK}])
def test_arguments_of_any_form_are_replaced(arguments: object) -> None:
    odd = {"type": "command", "command": f"/bin/sh {ENTRY} PreToolUse", "args": arguments, "timeout": 9}
    text = json.dumps({"hooks": {"PreToolUse": [{"hooks": [odd]}]}})
    command = {"type": "command", "command": "/bin/sh", "args": ["-c", FALLBACK], "timeout": 9}
    assert command in before_a_call(plan(text, WARM))
    assert before_a_call(plan(text, COMMANDS)) == [{"type": "command", "command": COMMANDS["PreToolUse"], "timeout": 9}]


def test_repetitions_are_taken_out() -> None:
    twice = {"hooks": handlers(NAME, FALLBACK, 5) + handlers(NAME, FALLBACK, 7)}
    text = json.dumps({"hooks": {"PreToolUse": [twice, twice], "Notification": [twice]}})
    after = json.loads(plan(text, WARM))["hooks"]
    assert after["PreToolUse"] == [{"hooks": handlers(NAME, FALLBACK, 5)}]
    assert "Notification" not in after


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
        plan_server(text, NAME, SERVER, "c.json")


def test_a_server_of_somebody_else_is_not_taken_out() -> None:
    for text in (f'{{"mcpServers": {{"{NAME}": {{"command": "mine"}}}}}}', '{"mcpServers": {}}', "{}", "", " \n"):
        assert remove_server(text, "c.json") == text


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
)


@settings(deadline=None)
@given(
    st.dictionaries(st.text(max_size=6), values, max_size=3),
    st.none() | st.dictionaries(st.text(max_size=6), values, max_size=3),
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
    after = plan_server(text, NAME, SERVER, "c.json")
    merged = {**document, "mcpServers": {**(servers or {}), NAME: SERVER}}
    assert json.dumps(json.loads(after.removeprefix("\ufeff"))) == json.dumps(merged)
    assert plan_server(after, NAME, SERVER, "c.json") == after
    without = remove_server(after, "c.json")
    assert without == text or (servers == {} and "mcpServers" not in json.loads(without.removeprefix("\ufeff")))


def test_another_version_is_replaced() -> None:
    """Whatever its name is: an older one could be guessed."""
    older = {"a": {}, "lessons": OLDER, "b": {}, "lessons-fedc4567": OLDER, "lessons-of-mine": {"command": "mine"}}
    text = json.dumps({"mcpServers": older}, indent=2)
    assert is_our_server(OLDER)
    assert our_servers(text, "c.json").keys() == {"lessons", "lessons-fedc4567"}
    assert paths_of(OLDER) == ("", "", "")
    assert paths_of(SERVER) == ("/usr/bin/python3", ENTRY, "/h")
    after = json.loads(plan_server(text, NAME, SERVER, "c.json"))
    others = {"a": {}, "b": {}, "lessons-of-mine": {"command": "mine"}}
    assert after == {"mcpServers": {**others, NAME: SERVER}}
    assert json.loads(remove_server(text, "c.json")) == {"mcpServers": others}
    settings = json.dumps({"hooks": {"PreToolUse": [{"hooks": handlers("lessons", FALLBACK, 5)}]}})
    assert before_a_call(plan(settings, WARM)) == handlers(NAME, FALLBACK, 5)


def test_a_name_that_nobody_can_know() -> None:
    names = {new_name() for _ in range(100)}
    assert len(names) == 100
    assert all(map(is_private, names))
    assert not any(map(is_private, ("lessons", "lessons-", "lessons-0123abc", f"{NAME}0", f"x{NAME}", NAME.upper())))


def test_a_server_that_hangs_is_not_waited_for_long() -> None:
    assert [handler["timeout"] for handler in handlers(NAME, FALLBACK, 5)] == [2, 5]


def test_a_path_that_the_client_would_change_is_refused() -> None:
    with pytest.raises(Refused, match="without --warm"):
        server_entry("/usr/bin/python3", ENTRY, "/home/${USER}/lessons")
    assert "${" not in json.dumps(SERVER)


def test_files_come_back_as_they_were(tmp_path: Path) -> None:
    file, config = tmp_path / "settings.json", tmp_path / ".claude.json"
    file.write_text('{\n    "model": "opus"\n}')
    config.write_text('{"numStartups":3,"mcpServers":{"a":{}},"projects":{"/a":{}}}')
    config.chmod(0o640)
    before = {path: path.read_bytes() for path in (file, config)}
    home = str(tmp_path / "home")
    server = server_of(hook_commands(home))
    assert asked_server(str(file)) == ""
    assert register_server(str(config), NAME, server, dry_run=True).changed
    assert install(str(file), home, dry_run=True, server=NAME).changed
    assert {path: path.read_bytes() for path in before} == before
    first = (register_server(str(config), NAME, server), install(str(file), home, server=NAME))
    assert [report.changed for report in first] == [True, True]
    assert first[0].backup is None
    assert not (tmp_path / ".claude.json.lessons-backup").exists()
    assert asked_server(str(file)) == NAME
    assert servers_in(str(config)) == {NAME: server}
    assert installed_commands(str(file)).keys() == REGISTRATIONS.keys()
    assert "--behind-server" in installed_commands(str(file))["PreToolUse"]
    second = (register_server(str(config), NAME, server), install(str(file), home, server=NAME))
    assert [report.changed for report in second] == [False, False]
    assert config.stat().st_mode & 0o777 == 0o640
    assert [uninstall(str(file)).changed, unregister_server(str(config)).changed] == [True, True]
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    config = str(tmp_path / "none" / ".claude.json")
    assert servers_in(config) == {}
    assert not unregister_server(config).changed
    assert asked_server(config) == ""


@table(
    ("environment", "expected"),
    [
        ({"HOME": "/home/me"}, "/home/me/.claude.json"),
        ({"HOME": "/home/me", "CLAUDE_CONFIG_DIR": "/c d"}, "/c d/.claude.json"),
        ({"HOME": "/home/me", "CLAUDE_CONFIG_DIR": ""}, "/home/me/.claude.json"),
    ],
)
def test_where_the_client_keeps_its_servers(environment: dict[str, str], expected: str) -> None:
    assert client_config_path(environment) == expected
