"""The events of a session of Copilot CLI, line by line."""

import json

from lessons.agents.base import Record
from lessons.agents.copilot_cli.transcript import FULL_READER, READER, outcome_of
from lessons.agents.copilot_cli.wire import split_exit
from lessons.agents.events import (
    DENIED_BY_HOOK,
    Called,
    Compacted,
    Event,
    Prompted,
    Returned,
    Setting,
    Titled,
    Verdict,
    Wrote,
)
from tests.builders.copilot import CopilotSession
from tests.tables import table


def records(session: CopilotSession) -> list[Record]:
    found = READER.sound_records(session.text().encode(), 0)
    assert found is not None
    return found


def events(session: CopilotSession) -> list[Event]:
    """Those after the first line, which names session and folder."""
    return [event for record in records(session)[1:] for event in record.events]


@table(
    "line", ['{"type":"user","sessionId":"s","message":{}}', '{"data":{}}', '{"type":"x","data":5,"parentId":1}', "[]"]
)
def test_files_of_others_are_not_taken(line: str) -> None:
    assert not READER.recognises([line.encode() + b"\n"])


@table("value", [None, 5, "x", [], [5], {"toolRequests": 5}, {"toolRequests": [5, {}]}, {"content": []}, {"error": 5}])
def test_data_of_any_type_is_no_error(value: object) -> None:
    for kind in (
        "user.message",
        "assistant.message",
        "tool.execution_complete",
        "system.notification",
        "session.start",
    ):
        line = json.dumps({"type": kind, "data": value, "id": 5, "parentId": None, "timestamp": []})
        assert READER.record(json.loads(line), 0).events == []


def test_an_unknown_type_is_counted_and_known_ones_are_not() -> None:
    session = CopilotSession()
    session.add("session.dreamed", {})
    session.add("hook.start", {"input": {"toolCalls": [{"id": "x"}]}})
    assert [(record.type, record.known, record.events) for record in records(session)[1:]] == [
        ("session.dreamed", False, []),
        ("hook.start", True, []),
    ]


def test_the_first_line_names_session_folder_and_version() -> None:
    session = CopilotSession()
    [first] = records(session)
    named = (session.id, "/home/somebody/shop", "main", "1.0.102")
    assert (first.line.session_id, first.line.cwd, first.line.branch, first.line.version) == named
    assert first.events == [Setting(session.id, cwd=named[1], branch=named[2], version=named[3])]


def test_a_later_line_may_name_another_folder() -> None:
    session = CopilotSession()
    session.add("session.resume", {"eventCount": 3, "context": {"cwd": "/home/somebody/web"}})
    session.add("session.context_changed", {"cwd": "/home/somebody/api", "branch": "next"})
    session.add("session.resume", {"eventCount": 5, "context": "none"})
    session.add("session.context_changed", {"cwd": 5})
    assert events(session) == [Setting(cwd="/home/somebody/web"), Setting(cwd="/home/somebody/api", branch="next")]
    assert all(record.known for record in records(session))


def test_what_a_machine_wrote_is_no_prompt_of_a_person() -> None:
    session = CopilotSession()
    session.prompt("By hand.")
    session.prompt("By an agent.", source="agent-1")
    session.in_agent("a").prompt("In a subagent.")
    session.in_agent("").prompt("")
    assert events(session) == [
        Prompted("By hand.", "likely"),
        Prompted("By an agent.", "no"),
        Prompted("In a subagent.", "no"),
    ]


def test_calls_and_results_have_the_same_name() -> None:
    session = CopilotSession()
    session.shell("call_1", "make tset", 2, "No rule")
    called, returned = events(session)
    assert isinstance(called, Called) and isinstance(returned, Returned)
    assert called.tool_use_id == returned.tool_use_id == f"call_1@i-{session.id}"
    assert (called.tool, called.arguments["command"], returned.verdict, returned.text) == (
        "bash",
        "make tset",
        Verdict("failed", 2),
        "No rule",
    )


@table(
    ("given", "arguments"),
    [('{"command": "ls"}', {"command": "ls"}), ("*** Begin Patch", {"input": "*** Begin Patch"}), (5, {}), (None, {})],
)
def test_arguments_may_be_a_text(given: object, arguments: dict[str, object]) -> None:
    session = CopilotSession()
    session.request("a", "apply_patch", given)
    [called] = events(session)
    assert isinstance(called, Called) and called.arguments == arguments


def test_compaction_title_and_words() -> None:
    session = CopilotSession()
    session.say("w" * 20_000)
    session.add("session.compaction_complete", {"success": True})
    session.add("session.compaction_complete", {"success": False})
    session.add("session.title_changed", {"title": "A name"})
    said, *others = events(session)
    assert isinstance(said, Wrote) and len(said.text) < 10_000
    assert others == [Compacted(False), Titled("A name")]
    [full] = [
        event for record in FULL_READER.records(session.lines[1].encode(), 0) if record for event in record.events
    ]
    assert isinstance(full, Wrote) and len(full.text) == 20_000


def test_a_subagents_events_are_its_own() -> None:
    session = CopilotSession()
    session.in_agent("agent-1").shell("call_1", "ls", 0)
    line = records(session)[-1].line
    assert (line.agent_id, line.sidechain) == ("agent-1", True)


@table(
    "printed",
    [
        "",
        "completed with exit code 3",
        "<shellId: 1 completed with exit code 3> and more",
        "<shellId: 1 completed with exit code x>",
        "<shellId: 1 completed with exit code 3>\nlast line",
        "<" + "x" * 300 + " completed with exit code 3>",
    ],
)
def test_other_texts_tell_no_exit_code(printed: str) -> None:
    assert split_exit(printed) == (printed, None)


@table(
    ("printed", "found"),
    [
        ("a\nb\n<shellId: 12 completed with exit code 3>", ("a\nb", 3)),
        ("<shellId: 0 completed with exit code 0>\n", ("", 0)),
        ("a\n<exited with exit code 127>", ("a", 127)),
        ("a\n<shellId: 1 completed with exit code -1>", ("a", -1)),
    ],
)
def test_the_last_line_tells_the_exit_code(printed: str, found: tuple[str, int]) -> None:
    assert split_exit(printed) == found


BY_HOOK = "Denied by preToolUse hook"
GUIDED = 'boom\n<shellId: 7 completed with exit code 4>\n\nTool "bash" succeeded. Additional guidance from postToolUse'


@table(
    ("data", "verdict", "printed"),
    [
        ({}, Verdict("ok", None), ""),
        ({"success": True, "result": {"content": "x"}}, Verdict("ok", None), "x"),
        ({"success": True, "result": 5, "toolTelemetry": [], "shellExecution": "x"}, Verdict("ok", None), ""),
        ({"success": True, "shellExecution": {"exitCode": 4}, "result": {"content": "x"}}, Verdict("failed", 4), "x"),
        ({"success": True, "toolTelemetry": {"metrics": {"exit_code": 3.0}}}, Verdict("failed", 3), ""),
        ({"success": True, "result": {"content": f"{GUIDED} hooks:\nuse x"}}, Verdict("failed", 4), "boom"),
        ({"success": False, "error": {"message": "m", "code": "failure"}}, Verdict("failed", None), "m"),
        ({"success": False, "error": "m"}, Verdict("failed", None), "m"),
        ({"success": False, "error": {"message": "m", "code": "denied"}}, Verdict("refused", None), "m"),
        ({"success": False, "error": {"message": f"{BY_HOOK}: m"}}, Verdict("failed", None), f"{BY_HOOK}: m"),
        ({"success": False, "error": {"message": f"{BY_HOOK}: m", "code": "denied"}}, DENIED_BY_HOOK, "m"),
        (
            {"success": False, "error": {"message": f"{BY_HOOK} from x", "code": "denied"}},
            DENIED_BY_HOOK,
            f"{BY_HOOK} from x",
        ),
        ({"success": False, "error": {"message": "m", "code": "aborted"}}, Verdict("interrupted", None), "m"),
    ],
)
def test_the_verdict(data: dict[str, object], verdict: Verdict, printed: str) -> None:
    found = outcome_of(data)
    assert (found.verdict, found.printed) == (verdict, printed)


def test_a_hooks_words_are_told_apart() -> None:
    found = outcome_of({"success": True, "result": {"content": f"{GUIDED} hooks:\nuse x"}})
    assert (found.event, found.guidance) == ("PostToolUse", "use x")


def test_a_shell_that_goes_on_is_not_known_yet() -> None:
    running = "out\n<command with shellId: 22 is still running after 30 seconds. Use read_bash to wait.>"
    found = outcome_of({"success": True, "result": {"content": running}})
    assert (found.verdict.outcome, found.task) == ("unknown", "shell-22")


@table(
    ("properties", "printed", "end"),
    [
        ({"shell_operation": "read"}, "x\n<shellId: 22 completed with exit code 1>", Verdict("failed", 1)),
        ({"shell_operation": "read"}, "nothing yet", None),
        ({"shell_status": "stopped"}, "<command with id: 22 stopped>", Verdict("interrupted", None)),
    ],
)
def test_who_asks_after_a_shell_may_be_told_its_end(properties: object, printed: str, end: Verdict | None) -> None:
    found = outcome_of({"success": True, "result": {"content": printed}, "toolTelemetry": {"properties": properties}})
    assert (found.verdict, found.end) == (Verdict("ok", None), end)
    assert found.ended == ("shell-22" if end else "")
