"""The events of a session of Qwen Code, line by line."""

import json

from lessons.agents.base import Record
from lessons.agents.events import (
    DENIED_BY_HOOK,
    Called,
    Compacted,
    Event,
    Prompted,
    Returned,
    TaskEnded,
    Titled,
    Verdict,
    Wrote,
)
from lessons.agents.qwen_code import transcript
from lessons.agents.qwen_code.transcript import READER, outcome_of
from tests.builders.qwen import QwenSession
from tests.tables import table


def records(session: QwenSession) -> list[Record]:
    found = READER.sound_records("".join(line + "\n" for line in session.lines).encode(), 0)
    assert found is not None
    return found


def events(session: QwenSession) -> list[Event]:
    return [event for record in records(session) for event in record.events]


CLAUDES = '{"type":"user","sessionId":"s","parentUuid":null,"message":{"content":"x"}}'


@table("line", [CLAUDES, '{"type":"user","sessionId":"s"}', '{"uuid":"x","parentUuid":null}', "[]", "5"])
def test_files_of_others_are_not_taken(line: str) -> None:
    assert not READER.recognises([line.encode() + b"\n"])


@table("value", [None, 5, "x", [], [5], {"parts": 5}, {"parts": [5, {"functionCall": 5, "functionResponse": []}]}])
def test_messages_of_any_type_are_no_error(value: object) -> None:
    for kind in transcript.HANDLERS:
        line = json.dumps({"type": kind, "message": value, "uuid": 5, "toolCallResult": value, "systemPayload": value})
        assert READER.record(json.loads(line), 0).events == []


def test_an_unknown_type_is_counted() -> None:
    session = QwenSession()
    session.add("dream")
    session.add("system", subtype="never-heard-of")
    assert [(record.type, record.known) for record in records(session)] == [("dream", False), ("system", True)]


@table(
    ("provenance", "more", "sureness"),
    [
        ("system", {}, "no"),
        ("assistant_output", {}, "no"),
        ("real_user", {"subtype": "notification"}, "no"),
        ("real_user", {"isSidechain": True}, "no"),
        ("", {}, "likely"),
        ("real_user", {}, "sure"),
        ("real_user", {"subtype": "mid_turn_user_message"}, "sure"),
    ],
)
def test_who_is_human(provenance: str, more: dict[str, object], sureness: str) -> None:
    session = QwenSession()
    session.prompt("Words.", provenance, **more)
    [prompted] = events(session)
    assert isinstance(prompted, Prompted) and (prompted.text, prompted.sureness) == ("Words.", sureness)


def test_a_hooks_words_are_no_part_of_a_prompt() -> None:
    session = QwenSession()
    hook = "<qwen:user-prompt-submit-context>\nx\n</qwen:user-prompt-submit-context>"
    session.add("user", provenance="real_user", message={"parts": [{"text": "By hand."}, {"text": hook}]})
    assert events(session) == [Prompted("By hand.", "sure")]


def test_calls_and_results_have_the_same_name() -> None:
    session = QwenSession()
    session.shell("call_1", "make tset", 2, "No rule")
    called, returned = events(session)
    assert isinstance(called, Called) and isinstance(returned, Returned)
    assert called.tool_use_id == returned.tool_use_id == f"call_1@{session.id}"
    assert (called.tool, called.arguments["command"]) == ("run_shell_command", "make tset")
    assert (returned.verdict, returned.text) == (Verdict("failed", 2), "No rule")


def test_in_a_subagent_the_text_alone_tells_the_exit_code() -> None:
    session = QwenSession(agent="a")
    session.shell("call_1", "x", 127, "not found")
    called, returned = events(session)
    assert isinstance(returned, Returned) and returned.verdict == Verdict("failed", 127)
    assert isinstance(called, Called) and called.tool_use_id == f"call_1@{session.id}/a"
    assert (records(session)[0].line.agent_id, records(session)[0].line.sidechain) == ("a", True)


ASKS = 'Qwen Code requires permission to use "edit", but that permission was declined'
DENIED = {"errorType": "execution_denied"}
FRAMED = (
    "Command: x\nDirectory: (root)\nOutput: a\nError: (none)\nb\nError: bad\nExit Code: 3\nSignal: (none)\n\nA hint."
)


@table(
    ("response", "result", "verdict", "printed"),
    [
        ({}, {}, Verdict("ok", None), ""),
        ({"output": "Exit Code: 3"}, {}, Verdict("ok", None), "Exit Code: 3"),
        ({"output": "x"}, {"status": "success"}, Verdict("ok", None), "x"),
        ({"output": FRAMED}, {}, Verdict("failed", 3), "a\nError: (none)\nb\nbad"),
        ({"error": f"{ASKS}."}, DENIED, Verdict("refused", None), ASKS),
        ({"error": 'Tool "edit" is denied by permission rules.'}, DENIED, Verdict("refused", None), "Tool"),
        ({"error": "Not in plan mode: x"}, DENIED, Verdict("refused", None), "Not"),
        ({"error": "x"}, {"errorType": "policy_denied"}, Verdict("refused", None), "x"),
        ({"error": "Use y."}, DENIED, DENIED_BY_HOOK, "Use y."),
        ({"error": "x"}, {"status": "cancelled"}, Verdict("interrupted", None), "x"),
        ({"error": "User did not allow tool call"}, {"status": "cancelled"}, Verdict("refused", None), "User did not"),
        ({"error": "x"}, {"status": "error", "errorType": "edit"}, Verdict("failed", None), "x"),
    ],
)
def test_the_verdict(response: dict[str, object], result: dict[str, object], verdict: Verdict, printed: str) -> None:
    found = outcome_of(response, result)
    assert found.verdict == verdict and found.printed.startswith(printed)


def test_a_task_in_the_background_ends_later() -> None:
    session = QwenSession()
    session.request("call_5", "agent", {"prompt": "Look."})
    session.result("call_5", {"output": "Background agent launched successfully.\ntask_id: explore-call_5 (internal)"})
    fields = "<task-id>explore-call_5</task-id><tool-use-id>call_5</tool-use-id><status>failed</status>"
    session.prompt(f"<task-notification>\n{fields}", "system", subtype="notification")
    session.prompt("<task-notification>\nof nothing", "system", subtype="notification")
    _, returned, ended = events(session)
    assert isinstance(returned, Returned) and (returned.verdict.outcome, returned.task_id) == (
        "unknown",
        "explore-call_5",
    )
    assert ended == TaskEnded("explore-call_5", f"call_5@{session.id}", Verdict("failed", None), "")


def test_compaction_title_and_thoughts() -> None:
    session = QwenSession()
    session.add("assistant", message={"parts": [{"text": "hm", "thought": True}, {"text": "Wrote."}]})
    session.add("system", subtype="chat_compression", systemPayload={})
    session.add("system", subtype="custom_title", systemPayload={"customTitle": "A name"})
    said, *others = events(session)
    assert isinstance(said, Wrote) and said.text == "Wrote."
    assert others == [Compacted(False), Titled("A name")]
