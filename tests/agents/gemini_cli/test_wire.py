"""Gemini CLI's payloads as events, and answers in the form it accepts."""

import json

from lessons.agents.gemini_cli.wire import parse, render
from lessons.agents.hook_event import AFTER_CALL, AFTER_FAILURE, BEFORE_CALL, Answer, HookEvent
from lessons.agents.shell_frame import taken_apart
from lessons.agents.table import AGENTS
from tests.builders.gemini_sessions import shell_text
from tests.tables import table

SENT: dict[str, object] = {
    "session_id": "s1",
    "cwd": "/shop",
    "transcript_path": "/t.jsonl",
    "tool_name": "run_shell_command",
    "tool_input": {"command": "make tset"},
}
OLD = "Command: ls\nDirectory: (root)\nOutput: {}\nError: {}\nExit Code: {}\nSignal: 0\nBackground PIDs: (none)\n"


def sent(name: str, **more: object) -> HookEvent:
    event = parse(name, {**SENT, **more})
    assert event is not None
    return event


@table(
    "response, kind, error",
    [
        ({"llmContent": shell_text("fine")}, AFTER_CALL, ""),
        ({"llmContent": "Exit Code: 3 is a word of a file"}, AFTER_CALL, ""),
        ({"llmContent": [{"text": "x"}]}, AFTER_CALL, ""),
        ({"llmContent": shell_text("boom", 3)}, AFTER_FAILURE, "Exit code 3\nboom"),
        ({"llmContent": shell_text("", 3)}, AFTER_FAILURE, "Exit code 3"),
        ({"llmContent": "x", "error": {"message": "Could not find it"}}, AFTER_FAILURE, "Could not find it"),
    ],
)
def test_a_call_that_has_run(response: dict[str, object], kind: str, error: str) -> None:
    event = sent("AfterTool", tool_response=response)
    assert (event.kind, event.error, event.command) == (kind, error, "make tset")
    assert event.call is not None and event.call.error == (error or None) and event.call.is_shell
    assert event.worked is (response == {"llmContent": shell_text("fine")}), "unknown is not enough"
    assert (AGENTS["gemini-cli"].hints_at, sent("BeforeTool").kind) == (AFTER_CALL, BEFORE_CALL)


@table(
    "text, found",
    [
        ("Some words\nOutput: x\nExit Code: 3", None),
        ("", None),
        ("Output: a\nExit Code: 3\nb\nExit Code: 4", ("a\nExit Code: 3\nb", 4)),
        (OLD.format("a", "(none)", 0), ("a", 0)),
        (OLD.format("(empty)", "no such file\nat all", 1), ("no such file\nat all", 1)),
        (shell_text("a\nb", 127) + "\n\n<hook_context>x</hook_context>", ("a\nb", 127)),
        (shell_text("quiet"), ("quiet", 0)),
        ("Command was automatically cancelled because it exceeded the timeout", None),
    ],
)
def test_what_a_shell_printed(text: str, found: tuple[str, int | None] | None) -> None:
    assert taken_apart(text) == (found if not text.startswith("Command was") else (text, None))


def test_answers_are_flat_and_never_grant() -> None:
    before, after = sent("BeforeTool"), sent("AfterTool")
    assert json.loads(render(before, Answer(deny="No.", message="For you."))) == {
        "decision": "deny",
        "reason": "No.",
        "systemMessage": "For you.",
    }
    said = {"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "Words."}}
    assert json.loads(render(after, Answer(context="Words."))) == said
    assert render(before, Answer()) == ""
