"""Claude Code's payloads: wrong types become empty values, and no answer ever grants a permission."""

import json
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.agents.claude_code import wire
from lessons.agents.hook_event import BEFORE_CALL, BEFORE_COMPACTION, SESSION_START, TURN_END, Answer, HookEvent
from lessons.match.call import system_name
from tests.builders import payloads
from tests.conftest import SetVariable
from tests.sizes import examples
from tests.tables import table

if TYPE_CHECKING:
    pass

WRONG: list[object] = [None, 5, 1.5, True, [], ["Bash"], {}, {"a": "b"}]


def parsed(name: str, payload: dict[str, object]) -> HookEvent:
    event = wire.parse(name, payload)
    assert event is not None
    return event


@table("value", [*WRONG, ""])
def test_without_a_tool_there_is_no_call(value: object) -> None:
    assert parsed("PreToolUse", {**payloads.bash("ls"), "tool_name": value}).call is None


def test_every_part_of_a_call(variable: SetVariable) -> None:
    variable("SHELL", "/usr/bin/zsh")
    call = parsed(
        "PostToolUseFailure", payloads.failure(payloads.in_subagent(payloads.bash("git stash")), "failed")
    ).call
    assert call is not None
    assert (call.agent, call.session, call.agent_id) == ("claude-code", payloads.SESSION, payloads.AGENT_ID)
    assert (call.names, call.command, call.cwd) == (("Bash",), "git stash", payloads.FOLDER)
    assert (call.tool_use_id, call.error, call.shell) == ("toolu_invented_0001", "failed", "zsh")
    assert call.operating_system == system_name(sys.platform)


def test_a_client_that_names_no_session_is_known_by_its_transcript() -> None:
    named = parsed("PreToolUse", payloads.bash("ls"))
    assert (named.session, named.session_key) == (payloads.SESSION, payloads.SESSION)
    unnamed = parsed("PreToolUse", {**payloads.bash("ls"), "session_id": None, "transcript_path": "/a/b.jsonl"})
    assert (unnamed.session, unnamed.session_key) == ("", "/a/b.jsonl")
    assert unnamed.call is not None and unnamed.call.session == "/a/b.jsonl"


def test_what_each_event_tells() -> None:
    failed = parsed("PostToolUseFailure", payloads.failure(payloads.bash("ls"), "a\r\nb"))
    assert failed.error == "a\r\nb"
    assert failed.call is not None and failed.call.error == "a\nb"
    start = parsed("SessionStart", payloads.session_start("compact", model="opus"))
    assert (start.source, start.model) == ("compact", "opus")
    assert start.call is not None and start.call.names == ("SessionStart",)
    assert parsed("SessionEnd", {"reason": "clear"}).reason == "clear"
    assert parsed("PostToolUse", payloads.post_tool_use("git commit")).command == "git commit"


def test_a_call_that_the_person_interrupted_has_not_failed() -> None:
    assert wire.parse("PostToolUseFailure", payloads.failure(payloads.bash("ls"), "error", is_interrupt=True)) is None
    assert wire.parse("PostToolUseFailure", payloads.failure(payloads.bash("ls"), "")) is None


@given(st.text(st.characters(), min_size=1), st.text(st.characters()))
@settings(max_examples=examples(60), deadline=None)
def test_answers_are_one_line_of_json_whatever_the_words(words: str, message: str) -> None:
    for answer in (Answer(f"x{words}", message=message), Answer(deny=words, message=message)):
        said = wire.render(HookEvent(BEFORE_CALL), answer)
        assert said.isascii()
        assert "\n" not in said
        assert json.loads(said)["hookSpecificOutput"]["hookEventName"] == "PreToolUse"


def test_a_hint_says_nothing_about_permission() -> None:
    assert json.loads(wire.render(HookEvent(SESSION_START), Answer("words"))) == {
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "words"}
    }


@pytest.mark.parametrize(("given", "reason"), [("reason", "reason"), ("", "A lesson stops this call.")])
def test_a_denial_tells_the_model_why_and_the_person_apart(given: str, reason: str) -> None:
    assert json.loads(wire.render(HookEvent(BEFORE_CALL), Answer(deny=given, message="message"))) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        },
        "systemMessage": "message",
    }


def test_a_message_alone_is_for_the_person() -> None:
    answer = Answer().with_message("one").with_message("two")
    assert json.loads(wire.render(HookEvent(TURN_END), answer)) == {"systemMessage": "one\ntwo"}


def test_before_a_compaction_the_words_are_plain() -> None:
    assert wire.render(HookEvent(BEFORE_COMPACTION), Answer("Keep the commands.")) == "Keep the commands."
