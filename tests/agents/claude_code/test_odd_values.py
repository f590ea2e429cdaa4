"""Unusual ids, flags, times and details, and what the reader makes of them."""

from lessons.agents.claude_code.transcript import Transcripts
from lessons.agents.events import Returned, TaskEnded
from lessons.agents.outcomes import Outcome, Verdict
from tests.builders.client_lines import encode
from tests.tables import table


def test_no_id_has_control_characters_or_is_endless() -> None:
    odd, plain = "a\0b\x1f\x7fc\n" + "d" * 400, "abc" + "d" * 297
    use = {"type": "tool_use", "id": odd, "name": "Bash", "input": {}}
    names = {"uuid": odd, "sessionId": odd, "agentId": odd}
    said: dict[str, object] = {
        "type": "assistant",
        "message": {"id": odd, "content": [use, {"type": "text", "text": "#lesson"}]},
    }
    back = {"type": "tool_result", "tool_use_id": odd, "content": "Running."}
    started = {"message": {"content": [back]}, "toolUseResult": {"interrupted": False, "backgroundTaskId": odd}}
    killed = {"message": {"content": [back]}, "toolUseResult": {"shellId": odd, "status": "killed"}}
    note = f"<task-notification><task-id>{odd}</task-id><status>failed</status></task-notification>"
    shown = {"type": "hook_additional_context", "toolUseID": odd, "content": "x"}
    stop = {"interruptedMessageId": odd, "message": {"content": "[Request interrupted by user]"}}
    lines: list[dict[str, object]] = [
        said,
        {"type": "user", **started},
        {"type": "user", **killed},
        {"type": "user", "message": {"content": note}},
        {"type": "attachment", "attachment": shown},
        {"type": "user", **stop},
    ]
    found = [record for line in lines for record in Transcripts().records(encode({**line, **names}), 0)]
    for record in found:
        assert record is not None and record.events
        assert (record.line.uuid, record.line.session_id, record.line.agent_id) == (plain, plain, plain)
        for event in record.events:
            ids = [getattr(event, name, "") for name in ("tool_use_id", "message_id", "task_id")]
            assert {one for one in ids if one} == {plain}, event
    [silent] = Transcripts().records(encode({"type": "system", "sessionId": odd}), 0)
    assert silent is not None and silent.line.session_id == plain
    [empty] = Transcripts().records(encode({"type": "assistant", "message": {"content": [{**use, "id": "\0"}]}}), 0)
    assert empty is not None and not empty.events


@table(
    ("told", "end"),
    [
        ({"shellId": "b5", "status": "running", "exitCode": None}, None),
        ({"shellId": 5, "status": "failed", "exitCode": 1}, None),
        ({"shellId": "b5", "status": ["failed"], "exitCode": 1}, None),
        ({"retrieval_status": "timeout", "task": {"task_id": "b5", "status": "running", "exitCode": None}}, None),
        ({"retrieval_status": "not_ready", "task": None}, None),
        ({"retrieval_status": "success", "task": {"task_id": ["b5"], "status": "failed"}}, None),
        ({"task": {"task_id": "b5", "status": "completed"}}, None),
        ({"task": {"id": "5", "status": "completed"}}, None),
        ({"status": "completed", "agentId": "b5"}, None),
        ({"shellId": "b5", "status": "failed", "exitCode": 1}, Verdict("failed", 1)),
        ({"shellId": "b5", "status": "completed", "exitCode": 0}, Verdict("ok", 0)),
        ({"shellId": "b5", "status": "killed", "exitCode": None}, Verdict("interrupted", None)),
        ({"shellId": "b5", "status": "failed", "exitCode": 143}, Verdict("interrupted", 143)),
        (
            {"retrieval_status": "success", "task": {"task_id": "b5", "status": "failed", "exitCode": 1}},
            Verdict("failed", 1),
        ),
        (
            {"retrieval_status": "success", "task": {"task_id": "b5", "status": "completed", "exitCode": 0}},
            Verdict("ok", 0),
        ),
        ({"retrieval_status": "success", "task": {"task_id": "b5", "status": "completed"}}, Verdict("ok", None)),
    ],
)
def test_a_call_that_asks_after_a_task_tells_its_end(told: dict[str, object], end: Verdict | None) -> None:
    block = {"type": "tool_result", "tool_use_id": "t", "content": "x"}
    line = {"type": "user", "message": {"content": [block]}, "toolUseResult": told}
    [record] = Transcripts().records(encode(line), 0)
    assert record is not None and isinstance(record.events[0], Returned)
    assert record.events[1:] == ([TaskEnded("b5", "", end, "")] if end else [])


@table(
    ("flag", "outcome"),
    [(0, "ok"), ("", "ok"), ("false", "ok"), ([], "ok"), (1, "failed"), ("true", "failed"), (1.5, "failed")],
)
def test_a_flag_of_another_type_is_a_flag(flag: object, outcome: Outcome) -> None:
    block = {"type": "tool_result", "tool_use_id": "t", "content": "Exit code 2", "is_error": flag}
    [record] = Transcripts().records(encode({"type": "user", "sessionId": "s", "message": {"content": [block]}}), 0)
    assert record is not None
    assert record.events == [Returned("t", Verdict(outcome, 2 if outcome == "failed" else None), "Exit code 2")]


@table(
    ("given", "expected"),
    [
        ("", ""),
        ("yesterday", ""),
        ("2026-13-41T99:30:00-05:00", ""),
        ("0001-01-01T00:30:00+05:00", ""),
        ("2026-09-01T23:30:00.123Z", "2026-09-01T23:30:00.123Z"),
        ("2026-09-01T23:30:00-05:00", "2026-09-02T04:30:00.000Z"),
        ("2026-09-01T01:30:00.5+0200", "2026-08-31T23:30:00.500Z"),
        ("2026-09-01T01:30:00.123456789+00:00", "2026-09-01T01:30:00.123Z"),
    ],
)
def test_times_are_told_in_utc(given: str, expected: str) -> None:
    line = {"type": "custom-title", "customTitle": "x", "timestamp": given}
    [record] = Transcripts().records(encode(line), 0)
    assert record is not None and record.line.time == expected
