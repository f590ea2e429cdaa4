"""Agents whose hooks are one line each: added, answering when doctor tries them, and removed without a trace."""

import json
from pathlib import Path

import pytest

from lessons.agents.claude_code import wire
from lessons.agents.table import AGENTS
from tests.builders import payloads
from tests.builders.lessons import blocking, lesson
from tests.cli.command_line import CommandLine
from tests.tables import table

FILES = {
    "copilot-cli": ".copilot/hooks/lessons.json",
    "qwen-code": ".qwen/settings.json",
    "cursor": ".cursor/hooks.json",
}
COPILOT: dict[str, object] = {
    "hook_event_name": "PreToolUse",
    "session_id": "c1",
    "timestamp": "2026-01-01T00:00:00.000Z",
    "cwd": "/shop",
    "tool_name": "Bash",
    "tool_input": {"command": "git push --force", "description": "run"},
}
CURSOR: dict[str, object] = {
    "conversation_id": "c1",
    "hook_event_name": "preToolUse",
    "tool_name": "Shell",
    "tool_input": {"command": "git push --force"},
    "workspace_roots": ["/shop"],
}


@pytest.fixture
def lessons(tmp_path: Path) -> CommandLine:
    lessons = CommandLine(tmp_path)
    (lessons.home / "fired").mkdir(exist_ok=True)
    for name in ("scan", "alerts"):  # a session that starts leaves no process behind
        (lessons.home / "fired" / name).touch()
    return lessons


@pytest.mark.parametrize("agent", FILES)
def test_the_hook_goes_in_answers_and_goes_out(lessons: CommandLine, agent: str) -> None:
    file = lessons.person / FILES[agent]
    report = lessons.json("install", "--agent", agent)
    assert (report["file"], report["changed"]) == (str(file), True)
    assert lessons.json("install", "--agent", agent)["changed"] is False
    checks = json.loads(lessons("doctor", "--agent", agent, "--json").out)["checks"]
    assert [check for check in checks if check["name"].startswith(("hook", "settings")) and not check["ok"]] == []
    assert {f"hook {event}" for event in AGENTS[agent].events} <= {check["name"] for check in checks}
    [limits] = [check["detail"] for check in checks if check["name"].startswith("limits of")]
    assert limits
    assert lessons.json("uninstall", "--agent", agent)["changed"] is True
    assert "lessons" not in (file.read_text() if file.exists() else "")
    missing = json.loads(lessons("doctor", "--agent", agent, "--json").out)["checks"]
    assert any(not check["ok"] and f"--agent {agent}" in check["fix"] for check in missing)


@table(
    ("payload", "sender"),
    [
        (payloads.bash("ls"), "claude-code"),
        (payloads.stop(), "claude-code"),
        (payloads.session_start("startup"), "claude-code"),
        ({}, "claude-code"),
        ({**payloads.bash("ls"), "timestamp": "x"}, "claude-code"),
        (COPILOT, "copilot-cli"),
        ({**COPILOT, "transcript_path": "/h/.copilot/session-state/c1/events.jsonl"}, "copilot-cli"),
        (
            {"sessionId": "c1", "timestamp": 5, "transcriptPath": "/h/.copilot/session-state/x/events.jsonl"},
            "copilot-cli",
        ),
        (CURSOR, "cursor"),
    ],
)
def test_who_sent_a_payload(payload: dict[str, object], sender: str) -> None:
    assert wire.sender(payload) == sender


@table(("agent", "payload", "key"), [("copilot-cli", COPILOT, "permissionDecision"), ("cursor", CURSOR, "permission")])
def test_the_hook_of_claude_answers_others_in_their_form_unless_theirs_does(
    tmp_path: Path, agent: str, payload: dict[str, object], key: str
) -> None:
    lessons = CommandLine(tmp_path)
    for each in (blocking(), lesson()):
        lessons.json("add", "--from", "-", text=json.dumps(each))
    lessons.json("install", "--agent", "claude-code")
    settings = json.loads((lessons.person / ".claude" / "settings.json").read_text())
    command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    alone = lessons.run(["/bin/sh", "-c", command], json.dumps(payload))
    assert (alone.code, json.loads(alone.out)[key]) == (0, "deny")
    lessons.json("install", "--agent", agent)
    both = lessons.run(["/bin/sh", "-c", command], json.dumps(payload))
    assert (both.code, both.out) == (0, "")
    assert not (lessons.home / "faults.log").exists()
