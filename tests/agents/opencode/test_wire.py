"""The requests of opencode's plugin as events, and their answers."""

import json

from lessons.agents.hook_event import AFTER_CALL, AFTER_FAILURE, Answer, HookEvent
from lessons.agents.opencode.wire import parse, render
from lessons.agents.table import AGENTS
from tests.tables import table

ASKED: dict[str, object] = {"session": "ses_1", "directory": "/shop", "tool": "bash", "call": "call_1"}


def asked(name: str, **more: object) -> HookEvent:
    event = parse(name, {**ASKED, **more})
    assert event is not None
    return event


@table(
    "name, more, kind, error",
    [
        ("AfterTool", {"exit": 0, "output": "boom"}, AFTER_CALL, ""),
        ("AfterTool", {"output": "boom"}, AFTER_CALL, ""),
        ("AfterTool", {"exit": 3, "output": "boom"}, AFTER_FAILURE, "Exit code 3\nboom"),
        ("AfterTool", {"exit": 3}, AFTER_FAILURE, "Exit code 3"),
        ("AfterTool", {"exit": None, "output": "late"}, AFTER_FAILURE, "late"),
        ("ToolError", {"output": "File not found"}, AFTER_FAILURE, "File not found"),
    ],
)
def test_a_call_that_has_run(name: str, more: dict[str, object], kind: str, error: str) -> None:
    event = asked(name, args={"command": "make tset"}, **more)
    assert (event.kind, event.error, event.command) == (kind, error, "make tset")
    assert event.call is not None and event.call.error == (error or None)
    assert event.call.tool_use_id == "call_1@ses_1"
    assert event.worked is (more.get("exit") == 0), "unknown is not enough"
    assert AGENTS["opencode"].hints_at == AFTER_CALL


def test_a_subagent_is_one_of_its_parent() -> None:
    event = asked("BeforeTool", parent="ses_0", args={"command": "ls", "workdir": "src"})
    assert (event.session, event.agent_id, event.cwd) == ("ses_0", "ses_1", "/shop/src")
    assert event.transcript.endswith("/opencode/opencode.db#ses_1")


@table("given, source", [("", "startup"), ("resume", "resume"), ("compact", "compact"), ("other", "startup")])
def test_how_a_session_starts(given: str, source: str) -> None:
    assert asked("SessionStart", source=given).source == source


def test_files_and_patches_are_seen() -> None:
    call = asked("BeforeTool", tool="edit", args={"filePath": "/shop/a.txt", "newString": "x"}).call
    assert call is not None and (call.names[0], call.paths, call.content) == ("Edit", ("/shop/a.txt",), "x")
    patch = "*** Begin Patch\n*** Update File: a.txt\n+x\n*** End Patch"
    call = asked("BeforeTool", tool="apply_patch", args={"patchText": patch}).call
    assert call is not None and call.paths == ("/shop/a.txt",)


def test_only_what_is_said_is_answered() -> None:
    event = asked("BeforeTool")
    assert json.loads(render(event, Answer(deny="No.", message="For you."))) == {"deny": "No.", "message": "For you."}
    assert json.loads(render(event, Answer(context="Words."))) == {"context": "Words."}
