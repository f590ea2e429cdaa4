"""Lines of a rollout in, exactly their events out, whatever happened to the file."""

import json
from pathlib import Path
from typing import Any

import pytest

from lessons.agents.base import Record
from lessons.agents.codex.calls import ending_of
from lessons.agents.codex.transcript import READER
from lessons.agents.events import (
    Called,
    Compacted,
    ContextShown,
    EditFile,
    Event,
    ListTasks,
    Prompted,
    Returned,
    RunCommand,
    Setting,
    StartAgent,
    action_of,
)
from tests.builders.rollout import Rollout
from tests.flows.scanning import scan
from tests.tables import table


def records(data: bytes) -> list[Record | None]:
    return [record for line in data.split(b"\n") if line.strip() for record in READER.records(line, 0)]


def events(session: Rollout, kind: type[Event]) -> list[Any]:
    found = READER.sound_records(session.data(), 0)
    assert found is not None
    return [event for record in found for event in record.events if isinstance(event, kind)]


def test_what_is_no_rollout_is_not_recognised() -> None:
    assert READER.recognises([b""]) is None
    for line in (b'{"type":"user","sessionId":"s"}', b'{"timestamp":"x","type":"session_meta"}', b"[1]", b"text"):
        assert not READER.recognises([line + b"\n"])
    assert READER.recognises([Rollout("x").data()]) is True


def test_words_of_the_client_are_no_prompts() -> None:
    session = Rollout("client")
    for text in ("<environment_context>\n</environment_context>", "# AGENTS.md instructions for /shop"):
        session.item("message", role="user", content=[{"type": "input_text", "text": text}])
    session.item("message", role="developer", content=[{"type": "input_text", "text": "<permissions instructions>"}])
    assert events(session, Prompted) == []


def test_what_a_hook_said_is_told() -> None:
    session = Rollout("hooked")
    kinds = {"turn_id": session.turn, "content_item_kinds": ["hooks.additional_context"]}
    said = {"type": "message", "id": "msg_1", "role": "developer", "content": [{"type": "input_text", "text": "Look."}]}
    session.add("response_item", {**said, "internal_chat_message_metadata_passthrough": kinds})
    assert [event.text for event in events(session, ContextShown)] == ["Look."]


def test_calls_have_the_names_and_arguments_of_all_agents() -> None:
    session = Rollout("calls")
    session.call("exec_command", {"cmd": "ls", "workdir": "/shop/web"})
    session.call("shell", {"command": ["bash", "-lc", "make"], "timeout_ms": 5})
    session.call("shell", {"command": ["apply_patch", "*** Begin Patch\n*** Delete File: a\n*** End Patch"]})
    session.call("fetch", {"url": "x"}, namespace="mcp__web")
    session.call("spawn_agent", {"message": "Look."}, namespace="multi_agent_v1")
    session.call("update_plan", {"plan": [{"step": "Look", "status": "pending"}]})
    session.patch("*** Begin Patch\n*** Add File: a.py\n+x\n*** Add File: b.py\n+y\n*** End Patch")
    session.patch("*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch")
    called = events(session, Called)
    assert [(call.tool, next(iter(call.arguments.values()))) for call in called] == [
        ("Bash", "ls"),
        ("Bash", "make"),
        ("Edit", "a"),
        ("mcp__web__fetch", "x"),
        ("spawn_agent", "Look."),
        ("update_plan", [{"step": "Look", "status": "pending"}]),
        ("Write", "a.py"),
        ("Edit", "a.py"),
    ]
    assert called[6].arguments == {"file_path": "a.py", "paths": ["b.py"], "content": "x\ny"}
    assert called[7].arguments == {"file_path": "a.py", "old_string": "x", "new_string": "y"}
    actions = [action_of(call) for call in called]
    assert [type(action) for action in actions] == [
        RunCommand, RunCommand, EditFile, type(None), StartAgent, ListTasks, EditFile, EditFile,
    ]  # fmt: skip


def test_a_script_is_told_with_the_calls_it_made() -> None:
    session = Rollout("script")
    inner = session.script("exit 7", 7, "in-code-mode\n")
    assert [(call.tool, call.tool_use_id == inner) for call in events(session, Called)] == [
        ("exec", False),
        ("Bash", True),
    ]
    ends = {event.tool_use_id: event.verdict for event in events(session, Returned)}
    assert (ends[inner].outcome, ends[inner].exit_code) == ("failed", 7)


def test_what_a_person_ran_is_no_call() -> None:
    session = Rollout("person")
    session.completed("CommandExecution", "exec-by-a-person-0000000001", source="user_shell", exit_code=1)
    assert events(session, Called) == events(session, Returned) == []


def test_a_subagent_says_whose_it_is() -> None:
    helper = Rollout("helper", session_id="p", thread_source="subagent", source={"subagent": {}})
    [setting, _] = events(helper, Setting)
    assert (setting.session_id, setting.agent_id) == ("p", helper.thread)
    assert setting.sidechain and not setting.typed
    [setting, _] = events(Rollout("person", False), Setting)
    assert (setting.session_id, setting.agent_id, setting.sidechain) == (Rollout("person").thread, "", False)
    assert setting.typed and not events(Rollout("run", source="exec"), Setting)[0].typed


def test_a_compaction_is_one_border() -> None:
    assert len(events(Rollout("long").compact(), Compacted)) == 1


def test_copies_have_the_same_key_and_other_records_another() -> None:
    session = Rollout("keys")
    session.prompt("Ship it.").say("Yes.")
    session.shell("make", 2, "no\n")
    found = READER.sound_records(session.data(), 0)
    again = [record for line in session.data().splitlines() for record in READER.records(line, 7)]
    assert found is not None
    keys = [record.key for record in found if record.events]
    assert keys == [record.key for record in again if record and record.events] and len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    "value",
    [None, 3, "x", [], {}, [3], {"a": None}, True, "\ud800", {"type": 3}, {"type": "CommandExecution", "id": []}],
)
def test_odd_values_cost_no_more_than_their_line(value: object) -> None:
    session = Rollout("odd")
    session.shell("make", 2, "no\n")
    for line in session.lines:
        for key in line["payload"]:
            odd = json.dumps({**line, "payload": {**line["payload"], key: value}}).encode()
            assert len(READER.records(odd, 0)) == 1
    assert len(READER.records(json.dumps({**session.lines[0], "payload": value}).encode(), 0)) == 1


def test_damage_costs_no_more_than_itself() -> None:
    session = Rollout("damage")
    session.shell("make", 2, "no\n")
    lines = session.data().splitlines()
    joined = lines[2] + lines[3]
    assert [bool(record) for record in READER.records(joined, 0)] == [True, True]
    assert records(b"\0\0\0" + lines[2])[0] is not None
    assert [bool(record) for record in READER.records(lines[2][:40] + lines[3], 0)] == [False, True]
    assert READER.records(b'{"timestamp":"2026', 0) == [None]


@pytest.mark.parametrize("odd", [b"NaN", b'"\\ud83d"', b"[" * 2000 + b"]" * 2000])
def test_a_line_of_another_agent_that_must_be_mended_is_not_recognised(odd: bytes) -> None:
    line = b'{"type":"user.message","data":{"content":%s},"id":"x","parentId":null}\n' % odd
    assert not READER.recognises([line])
    assert READER.recognises([line + Rollout("x").data()]) is True
    mended = b'{"timestamp":"2026-11-15T10:00:00Z","type":"session_meta","payload":{"id":"a","x":%s}}\n'
    assert READER.recognises([mended % b"NaN"]) is True


@table("code", [2**31, 2**63, -(2**80), 1e300, 3.5, "3", True, None])
def test_an_exit_code_that_no_program_has_is_not_fatal(code: object, tmp_path: Path) -> None:
    session = Rollout("odd")
    name = session.call("exec_command", {"cmd": "ls"})
    session.completed("CommandExecution", name, command=["ls"], exit_code=code, aggregated_output="", status="failed")
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / f"rollout-2026-11-15T10-00-00-{session.thread}.jsonl").write_bytes(session.data())
    assert scan(tmp_path / "home", tmp_path / "sessions", agent="codex").calls["failed"] == 1


HEAD = "Chunk ID: ff6462\nWall time: 0.0000 seconds\n{}\nOriginal token count: 2\nOutput:\n"
SHORT = "Wall time: 0.1 seconds\n{}Output:\n"
PATCHED = "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA new.txt\n"


@table(
    "name, text, outcome, code, printed",
    [
        # What must not be taken for a failure.
        ("printed words", "Process exited with code 1\n", "ok", None, "Process exited with code 1\n"),
        ("zero", HEAD.format("Process exited with code 0") + "Exit code: 3\n", "ok", 0, "Exit code: 3\n"),
        ("a patch", PATCHED, "ok", 0, "Success. Updated the following files:\nA new.txt\n"),
        ("a server's tool", "Wall time: 0.0107 seconds\nOutput:\n3", "ok", None, "3"),
        ("a plan", "Plan updated", "ok", None, "Plan updated"),
        ("nothing", "", "ok", None, ""),
        ("a script", "Script completed\nWall time 0.2 seconds\nOutput:\nexit_code 7", "ok", None, None),
        ("running", HEAD.format("Process running with session ID 9144"), "unknown", None, ""),
        ("ended with the client", HEAD.format("Process exited with code -1"), "unknown", None, ""),
        ("blocked", "Command blocked by a policy", "refused", None, None),
        ("rejected", "exec command rejected by user", "refused", None, None),
        ("rejected patch", "patch rejected by user", "refused", None, None),
        ("aborted", "aborted by user after 3.1s", "interrupted", None, None),
        # Failures.
        ("a code", HEAD.format("Process exited with code 3") + "boom\n", "failed", 3, "Exit code 3\nboom\n"),
        ("without an id", SHORT.format("Process exited with code 1\n") + "no", "failed", 1, "Exit code 1\nno"),
        ("older", "Exit code: 127\nWall time: 0.1 seconds\nOutput:\nsh: x: not found", "failed", 127, None),
        ("a patch in a line", SHORT.format("") + "Exit code: 1\nWall time: 0 seconds\nOutput:\nx", "failed", 1, None),
        ("no such lines", "apply_patch verification failed: Failed to find expected lines", "failed", None, None),
        (
            "denied",
            "Command blocked by PreToolUse hook: Use x. It works. Command: ls",
            "failed",
            None,
            "Use x. It works",
        ),
        ("unknown tool", "unsupported call: foo", "failed", None, None),
        ("arguments", "failed to parse function arguments: missing field `cmd`", "failed", None, None),
    ],
)
def test_how_it_ended(name: str, text: str, outcome: str, code: int | None, printed: str | None) -> None:
    ending = ending_of(text)
    assert (ending.verdict.outcome, ending.verdict.exit_code) == (outcome, code)
    assert printed is None or ending.text == printed


def test_a_process_that_goes_on_is_named() -> None:
    assert ending_of(HEAD.format("Process running with session ID 9144")).process == "9144"
