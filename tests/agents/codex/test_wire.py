"""Codex's payloads and answers: nothing that makes the client drop an answer, and never a permission."""

import json
from pathlib import Path
from typing import Any

import pytest

from lessons.agents.codex import wire
from lessons.agents.hook_event import AFTER_CALL, AFTER_FAILURE, BEFORE_CALL, Answer, HookEvent
from lessons.agents.table import AGENTS
from tests.builders.rollout import Rollout
from tests.tables import table

COMMON: dict[str, object] = {
    "session_id": "s1",
    "turn_id": "t1",
    "transcript_path": "/none.jsonl",
    "cwd": "/shop",
    "model": "gpt-5.5",
}
TOP = {"hookSpecificOutput", "systemMessage"}
INNER = {"hookEventName", "additionalContext", "permissionDecision", "permissionDecisionReason"}
ANSWERS = {
    "nothing": Answer(),
    "words": Answer(context="Look first."),
    "a denial": Answer(deny="Not on main."),
    "a denial without a reason": Answer(deny=""),
    "all of it": Answer(context="Look.", deny="No.", message="For you."),
    "for the person": Answer(message="For you."),
}


def payload(event: str, **more: object) -> dict[str, object]:
    return {**COMMON, "hook_event_name": event, **more}


def shell(command: str, event: str = "PreToolUse", **more: object) -> dict[str, object]:
    called = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "call_1"}
    return payload(event, **called, **more)


@pytest.mark.parametrize("event", AGENTS["codex"].events)
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_has_only_keys_that_the_client_knows(event: str, name: str) -> None:
    said = wire.render(HookEvent(AGENTS["codex"].events[event].kind, event), ANSWERS[name])
    document: dict[str, Any] = json.loads(said) if said else {}
    inner = document.get("hookSpecificOutput", {})
    assert document.keys() <= TOP and inner.keys() <= INNER
    assert "allow" not in said and said.isascii() and "\n" not in said
    if inner:
        assert inner["hookEventName"] == event
        assert (inner.get("permissionDecision") == "deny") == bool(inner.get("permissionDecisionReason"))
        assert event in ("PreToolUse", "PostToolUse", "SessionStart", "SubagentStart")
    assert "permissionDecision" not in inner or event == "PreToolUse"


@table(
    "name, event, given, command",
    [
        ("unknown event", "UserPromptSubmit", payload("UserPromptSubmit"), None),
        ("no tool", "PreToolUse", payload("PreToolUse"), ""),
        ("odd tool", "PreToolUse", payload("PreToolUse", tool_name=3, tool_input=[]), ""),
        ("shell", "PreToolUse", shell("ls"), "ls"),
        ("no input", "PreToolUse", payload("PreToolUse", tool_name="Bash"), None),
    ],
)
def test_what_comes_of_a_payload(name: str, event: str, given: dict[str, object], command: str | None) -> None:
    found = wire.parse(event, given)
    if command is None and event not in AGENTS["codex"].events:
        assert found is None
    elif not command:
        assert found is not None and (found.call is None or not found.call.command)
    else:
        assert found is not None and found.call is not None and found.call.command == command


def test_a_patch_is_an_edit_of_its_files() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+print(1)\n*** Add File: b/c.py\n+y\n*** End Patch"
    event = wire.parse("PreToolUse", payload("PreToolUse", tool_name="apply_patch", tool_input={"command": patch}))
    assert event is not None and event.call is not None
    assert event.call.names[:2] == ("Edit", "Write") and event.call.command is None
    assert event.call.paths == ("/shop/a.py", "/shop/b/c.py")
    assert event.call.content == "print(1)\ny"


@pytest.mark.parametrize(
    ("call_id", "name"),
    [
        ("call_1", "call_1@t1"),  # local models number their calls, from 1 in each turn
        ("call_l60TLUHMKhytonPFbK7eA723", "call_l60TLUHMKhytonPFbK7eA723"),
        ("exec-9f0a0363-6eb9-4b67-b543-d2f7e6b780f8", "exec-9f0a0363-6eb9-4b67-b543-d2f7e6b780f8"),
    ],
)
def test_a_call_has_the_name_that_the_history_gives_it(call_id: str, name: str) -> None:
    event = wire.parse("PreToolUse", {**shell("ls"), "tool_use_id": call_id})
    assert event is not None and event.call is not None and event.call.tool_use_id == name


def _after(tmp_path: Path, code: int, transcript: bytes | None = None) -> HookEvent:
    session = Rollout("wire")
    session.ended("call_1", "make", code, "boom\n")
    file = tmp_path / "rollout.jsonl"
    file.write_bytes(session.data() if transcript is None else transcript)
    given = shell("make", "PostToolUse", tool_response="boom\n", transcript_path=str(file))
    event = wire.parse("PostToolUse", given)
    assert event is not None
    return event


def test_a_failure_is_told_by_the_exit_code_in_the_rollout(tmp_path: Path) -> None:
    event = _after(tmp_path, 2)
    assert (event.kind, event.name, event.error) == (AFTER_FAILURE, "PostToolUse", "Exit code 2\nboom\n")
    assert event.call is not None and event.call.error == event.error and not event.worked


@pytest.mark.parametrize(
    "transcript",
    [
        b"",
        b'no JSON with "id":"call_1" and "CommandExecution"\n',
        b'{"payload":{"item":{"type":"CommandExecution","id":"call_1","exit_code":true}}}\n',
        b'{"payload":{"item":{"type":"CommandExecution","id":"call_1","exit_code":null}}}\n',
        b'{"payload":{"note":"\\"id\\":\\"call_1\\"","item":{"type":"CommandExecution","id":"call_2","exit_code":1}}}\n',
    ],
)
def test_what_is_not_known_is_neither_failure_nor_success(tmp_path: Path, transcript: bytes) -> None:
    event = _after(tmp_path, 0, transcript)
    assert (event.kind, event.worked) == (AFTER_CALL, False)


def test_a_success_names_the_call(tmp_path: Path) -> None:
    event = _after(tmp_path, 0)
    before = wire.parse("PreToolUse", shell("make"))
    assert (event.kind, event.worked) == (AFTER_CALL, True) and event.call is not None
    assert before is not None and before.call is not None
    assert event.call.tool_use_id == before.call.tool_use_id != ""


def test_no_foreign_file_is_read(tmp_path: Path) -> None:
    for path in ("/dev/zero", str(tmp_path), str(tmp_path / "gone"), "", "\0"):
        event = wire.parse("PostToolUse", shell("make", "PostToolUse", transcript_path=path))
        assert event is not None and event.kind == AFTER_CALL


def test_the_start_of_a_session_tells_how_it_starts() -> None:
    for source in ("startup", "resume", "compact"):
        event = wire.parse("SessionStart", payload("SessionStart", source=source))
        assert event is not None and (event.source, event.model) == (source, "gpt-5.5")
    inside = wire.parse("PreToolUse", {**shell("ls"), "agent_id": "a1"})
    assert inside is not None and (inside.kind, inside.session, inside.agent_id) == (BEFORE_CALL, "s1", "a1")
