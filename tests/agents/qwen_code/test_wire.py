"""Qwen Code's payloads: wrong types become empty values, hints wait for the result, nothing is ever granted."""

import json
from pathlib import Path

from lessons.agents.hook_event import AFTER_CALL, AFTER_FAILURE, BEFORE_CALL, Answer, HookEvent
from lessons.agents.qwen_code import delivery, wire
from lessons.agents.table import AGENTS
from tests.tables import table

FRAME = "Command: x\nDirectory: (root)\nOutput: "


def payload(event: str, **more: object) -> dict[str, object]:
    common = {"hook_event_name": event, "session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/shop"}
    call = {"tool_name": "run_shell_command", "tool_input": {"command": "ls"}, "tool_call_id": "call_1"}
    return {**common, **call, "tool_use_id": "toolu_1794768450074_akc0cbh6t", **more}


def parsed(event: str, **more: object) -> HookEvent:
    found = wire.parse(event, payload(event, **more))
    assert found is not None
    return found


def test_a_prompt_is_not_asked_about() -> None:
    assert "UserPromptSubmit" not in AGENTS["qwen-code"].events, "it fires at every continuation"
    assert wire.parse("UserPromptSubmit", payload("UserPromptSubmit", prompt="")) is None


def test_a_call_that_the_person_interrupted_has_not_failed() -> None:
    assert wire.parse("PostToolUseFailure", payload("PostToolUseFailure", error="x", is_interrupt=True)) is None
    assert wire.parse("PostToolUseFailure", payload("PostToolUseFailure")) is None


@table(
    ("name", "kind"), [("PreToolUse", BEFORE_CALL), ("PostToolUse", AFTER_CALL), ("PostToolUseFailure", AFTER_FAILURE)]
)
def test_every_event_of_a_call_has_the_call(name: str, kind: str) -> None:
    event = parsed(name, error="boom")
    assert (event.kind, event.session, event.command, event.transcript) == (kind, "s", "ls", "/t.jsonl")
    assert event.call is not None and (event.call.names[0], event.call.command) == ("Bash", "ls")
    assert event.call.tool_use_id == "call_1@s", "as the reader names it"
    assert event.call.error == ("boom" if kind == AFTER_FAILURE else None)
    assert event.worked is (kind == AFTER_CALL)


@table(
    ("error", "found"),
    [
        ("Command: it is a word", "Command: it is a word"),
        ("boom\nExit Code: 3", "boom\nExit Code: 3"),
        (f"{FRAME}boom\nError: (none)\nExit Code: 3\nSignal: (none)", "Exit code 3\nboom"),
        (f"{FRAME}(empty)\nError: (none)\nExit Code: 3\nSignal: (none)", "Exit code 3"),
    ],
)
def test_a_failed_command_has_the_error_that_the_reader_finds(error: str, found: str) -> None:
    event = parsed("PostToolUseFailure", error=error)
    assert event.error == found and event.call is not None and event.call.error == found


def test_a_subagents_call_has_a_name_of_its_own() -> None:
    event = parsed("PreToolUse", agent_id="a")
    assert event.call is not None and (event.agent_id, event.call.tool_use_id) == ("a", "call_1@s/a")


def test_answers_grant_nothing() -> None:
    denied = json.loads(wire.render(parsed("PreToolUse"), Answer(deny="no", message="m")))
    assert denied["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "no",
    }
    told = json.loads(wire.render(parsed("PostToolUse"), Answer("hint")))
    assert told == {"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "hint"}}
    assert wire.render(parsed("PreCompact"), Answer("words")) == ""


def test_a_rerun_is_told_by_the_result_of_the_stopped_call(tmp_path: Path) -> None:
    transcript = tmp_path / "s.jsonl"
    transcript.write_text('{"type":"assistant"}\n')
    call = parsed("PreToolUse", transcript_path=str(transcript)).call
    assert call is not None
    noted = delivery.note(call, "PreToolUse", str(transcript))
    assert delivery.is_answered(noted) is False
    with transcript.open("a") as file:
        file.write('{"type":"tool_result","message":{"parts":[{"functionResponse":{"id":"call_1","name":"x"}}]}}\n')
    assert delivery.is_answered(noted) is True
    transcript.unlink()
    assert delivery.is_answered(noted) is None
    assert delivery.is_answered("") is None and delivery.is_answered("{}") is None
    assert delivery.arrived(noted) is True
    assert delivery.note(call, "PreToolUse", "") == ""
