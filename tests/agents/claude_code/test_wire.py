"""Claude Code's payloads: wrong types come out as nothing, and no answer ever grants a permission."""

import json
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.agents.claude_code import wire
from lessons.match.call import system_name
from tests.builders import payloads
from tests.conftest import SetVariable

WRONG: list[object] = [None, 5, 1.5, True, [], ["Bash"], {}, {"a": "b"}]


@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_a_field_of_another_type_is_empty(value: object) -> None:
    assert wire.text({"field": value}, "field") == ""
    assert wire.text({}, "field") == ""
    assert wire.session_of({"session_id": value, "transcript_path": value}) == ""


@pytest.mark.parametrize("value", [*WRONG, ""], ids=repr)
def test_without_a_tool_there_is_no_call(value: object) -> None:
    assert wire.tool_call({**payloads.bash("ls"), "tool_name": value}) is None


@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_a_call_with_fields_of_other_types_is_still_a_call(value: object) -> None:
    payload = dict.fromkeys(payloads.in_subagent(payloads.bash("ls")), value)
    call = wire.tool_call({**payload, "tool_name": "Bash"})
    assert call is not None
    assert (call.session, call.agent_id, call.cwd, call.command, call.model) == ("", "", "", None, "")


def test_every_part_of_a_call(variable: SetVariable) -> None:
    variable("SHELL", "/usr/bin/zsh")
    call = wire.tool_call(payloads.in_subagent(payloads.bash("git stash")), "failed")
    assert call is not None
    assert (call.agent, call.session, call.agent_id) == ("claude-code", payloads.SESSION, payloads.AGENT_ID)
    assert (call.names, call.command, call.cwd) == (("Bash",), "git stash", payloads.FOLDER)
    assert (call.tool_use_id, call.error, call.shell) == ("toolu_invented_0001", "failed", "zsh")
    assert call.operating_system == system_name(sys.platform)


def test_a_client_that_names_no_session_is_known_by_its_transcript() -> None:
    assert wire.session_of(payloads.bash("ls")) == payloads.SESSION
    assert wire.session_of({"transcript_path": "/a/b.jsonl"}) == "/a/b.jsonl"


@given(st.text(st.characters()), st.text(st.characters()))
@settings(max_examples=60, deadline=None)
def test_answers_are_one_line_of_json_whatever_the_words(words: str, message: str) -> None:
    for said in (wire.context("PreToolUse", words), wire.deny(words, message)):
        assert said.isascii()
        assert "\n" not in said
        assert json.loads(said)["hookSpecificOutput"]["hookEventName"] == "PreToolUse"


def test_a_hint_says_nothing_about_permission() -> None:
    assert json.loads(wire.context("SessionStart", "words")) == {
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "words"}
    }


def test_a_denial_tells_the_model_why_and_the_person_apart() -> None:
    assert json.loads(wire.deny("reason", "message")) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "reason",
        },
        "systemMessage": "message",
    }
