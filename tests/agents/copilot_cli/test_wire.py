"""Copilot CLI's payloads: wrong types become empty values, and no answer ever grants a permission."""

import json
from pathlib import Path

import pytest

from lessons.agents.copilot_cli import wire
from lessons.agents.hook_event import AFTER_CALL, AFTER_FAILURE, SESSION_START, Answer, HookEvent
from tests.conftest import SetVariable
from tests.tables import table

SESSION = "5b5a06cd-21cb-4a9f-834f-4222408d335f"


def payload(event: str, **more: object) -> dict[str, object]:
    common = {"hook_event_name": event, "session_id": SESSION, "timestamp": "2026-01-01T00:00:00Z", "cwd": "/shop"}
    return {**common, "tool_name": "Bash", "tool_input": {"command": "ls", "description": "run"}, **more}


def parsed(event: str, **more: object) -> HookEvent:
    found = wire.parse(event, payload(event, **more))
    assert found is not None
    return found


def test_a_shell_that_ended_well_has_not_failed() -> None:
    for text in ("fine\n<shellId: 0 completed with exit code 0>", "exit code 3", "", "<exit code 3>\nmore"):
        event = parsed("PostToolUse", tool_result={"result_type": "success", "text_result_for_llm": text})
        assert (event.kind, event.command, event.error) == (AFTER_CALL, "ls", "")
        assert event.worked is text.startswith("fine") and event.call is not None and event.call.error is None


def test_a_shell_that_ended_badly_has_failed_although_the_client_calls_it_a_success() -> None:
    told = {"result_type": "success", "text_result_for_llm": "boom\n<shellId: 1 completed with exit code 3>"}
    event = parsed("PostToolUse", tool_result=told)
    assert (event.kind, event.name, event.error) == (AFTER_FAILURE, "PostToolUse", "Exit code 3\nboom")
    assert event.call is not None and event.call.error == "Exit code 3\nboom"


def test_a_failure_without_words_is_none() -> None:
    assert wire.parse("PostToolUseFailure", payload("PostToolUseFailure")) is None
    assert wire.parse("Notification", payload("Notification")) is None


def test_what_a_call_tells(variable: SetVariable, tmp_path: Path) -> None:
    variable("COPILOT_HOME", str(tmp_path))
    event = parsed("PreToolUse")
    assert (event.agent, event.session, event.cwd, event.agent_id) == ("copilot-cli", SESSION, "/shop", "")
    assert event.transcript == f"{tmp_path}/session-state/{SESSION}/events.jsonl"
    assert event.call is not None and (event.call.command, event.call.tool_use_id) == ("ls", "")
    assert parsed("PreToolUse", session_id="../../x").transcript == "", "a name that leads elsewhere names no file"


def test_a_subagent_belongs_to_the_session_of_its_parent() -> None:
    event = parsed("PreToolUse", session_id="a1", agent_id="a1", parent_agent_id=SESSION)
    assert (event.session, event.agent_id) == (SESSION, "a1")
    started = wire.parse("SubagentStart", {"sessionId": SESSION, "agent_id": "a1", "parent_agent_id": SESSION})
    assert started is not None and (started.session, started.agent_id) == (SESSION, "a1")


@table(("source", "kind"), [("new", "startup"), ("resume", "resume"), ("odd", "startup"), (5, "startup")])
def test_how_a_session_starts(source: object, kind: str) -> None:
    event = parsed("SessionStart", source=source)
    assert (event.kind, event.source) == (SESSION_START, kind)
    assert event.call is not None and event.call.names == ("SessionStart",)


def test_answers_are_flat_and_grant_nothing() -> None:
    event = parsed("PreToolUse")
    assert json.loads(wire.render(event, Answer(deny="no", message="m"))) == {
        "permissionDecision": "deny",
        "permissionDecisionReason": "no",
    }
    assert json.loads(wire.render(event, Answer("hint"))) == {"additionalContext": "hint"}
    assert wire.render(event, Answer(message="for the person")) == ""


@pytest.mark.parametrize("name", ["PreCompact", "Stop", "SessionEnd"])
def test_where_the_client_takes_no_words_nothing_is_said(name: str) -> None:
    assert wire.render(parsed(name), Answer("words", message="m")) == ""
