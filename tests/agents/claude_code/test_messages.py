"""Every kind of line that the client writes gives exactly these events."""

import json
from collections.abc import Callable

from lessons.agents.base import Line
from lessons.agents.claude_code.transcript import Transcripts
from lessons.agents.events import (
    Called,
    Compacted,
    ContextShown,
    Event,
    HooksRan,
    Interrupted,
    Prompted,
    Queued,
    QueueEmptied,
    Repeated,
    Returned,
    TaskEnded,
    Titled,
    Wrote,
)
from lessons.agents.outcomes import Outcome, Verdict
from tests.builders.client_lines import CONTINUED, REJECTED, encode
from tests.builders.transcript import Session
from tests.tables import table

MESSAGE = "msg_1"
TAG = "#lesson\nproblem: a\nsolution: b\n#/lesson"
Tell = Callable[[Session], object]


def events(tell: Tell, **session: object) -> list[Event]:
    """What comes of the lines that `tell` adds, in one list; the ids of calls and messages are made plain."""
    told = Session(**session)  # type: ignore[arg-type]
    tell(told)
    found = [r for line in told.lines for r in Transcripts().records(encode(line), 0)]
    assert all(record is not None and record.known for record in found)
    events = [event for record in found if record for event in record.events]
    for event in events:
        if isinstance(event, Called):
            assert event.source is not None
            assert json.loads(bytes(event.source)) == event.arguments
            event.source = None
    return events


def result(text: str = "", tool: str = "Bash", **more: object) -> Tell:
    """A call and what came of it."""

    def tell(session: Session) -> None:
        call = session.call(tool, {"command": "x"})
        session.lines.clear()
        session.result(call, text, **more)  # type: ignore[arg-type]

    return tell


def returned(outcome: Outcome, code: int | None, text: str, task: str = "") -> list[Event]:
    tool_use_id = Session().call("Bash", {})
    return [Returned(tool_use_id, Verdict(outcome, code), text, task)]


def ended(outcome: Outcome, code: int | None, how: str) -> TaskEnded:
    return TaskEnded("b1", "toolu_9", Verdict(outcome, code), f'Background command "a long task" {how}')


def called() -> Event:
    session = Session()
    tool_use_id = session.call("Bash", {"command": "ls"})
    return Called(tool_use_id, session.message_id, "claude-x", "Bash", {"command": "ls"})


def said() -> Event:
    session = Session()
    session.say(TAG)
    return Wrote(session.message_id, TAG)


def shown() -> Event:
    return ContextShown(Session().call("Bash", {}), "PreToolUse", "PreToolUse:Bash", "a fact")


def show(session: Session) -> None:
    session.hook_context(session.call("Bash", {"command": "ls"}), "a fact")
    del session.lines[0]


def subagent(session: Session) -> None:
    session.lines = session.subagent("ab12").lines
    agent = session.subagents[0]
    agent.prompt("do a part")
    agent.result(agent.call("Bash", {"command": "ls"}), "a.py")
    del session.lines[1]


NOTHING: dict[str, Tell] = {
    "thoughts": lambda s: s.think("#lesson in a thought"),
    "a tag in a person's words is no tag of the agent, and a machine's is no prompt": lambda s: s.prompt(
        TAG, meta=True
    ),
    "what a skill says": lambda s: s.prompt("Base directory for this skill: /x", source=None),
    "what a command printed": lambda s: s.prompt("<local-command-stdout>hi</local-command-stdout>", source=None),
    "a reminder": lambda s: s.prompt("<system-reminder>x</system-reminder>", source=None),
    "a stop without the name of a message": lambda s: s.interrupt(),
    "progress, with the subagent's calls in it": lambda s: s.progress("toolu_1", "ls", kind="agent_progress"),
    "progress of a shell": lambda s: s.progress("toolu_1", TAG),
    "notes of the client, with tags in them": lambda s: s.bookkeeping(),
    "a snapshot": lambda s: s.snapshot(),
    "a command for the client in the queue": lambda s: s.queue("/config"),
    "a skill in the queue": lambda s: s.queue("/team:check now"),
    "a reminder in the queue": lambda s: s.queue("<system-reminder>x</system-reminder>"),
    "what a script asks for in a subagent": lambda s: s.prompt("go", source="sdk", meta=True),
}
SOMETHING: dict[str, tuple[Tell, list[Event]]] = {
    "a typed prompt": (lambda s: s.prompt("go"), [Prompted("go", "sure")]),
    "a queued prompt": (lambda s: s.prompt("go", source="queued"), [Prompted("go", "sure")]),
    "a prompt of unknown source": (lambda s: s.prompt("go", source=None), [Prompted("go", "likely")]),
    "a prompt in blocks": (lambda s: s.prompt("go", blocks=True), [Prompted("go", "sure")]),
    "what waits in the queue": (lambda s: s.queue("also lint"), [Queued("also lint")]),
    "a path in the queue": (lambda s: s.queue("/home/x is full"), [Queued("/home/x is full")]),
    "a queue that is taken back": (
        lambda s: s.take_back("also lint"),
        [QueueEmptied()],
    ),
    "what a script asks for": (lambda s: s.prompt("go", source="sdk"), [Repeated("go")]),
    "the end of a turn": (lambda s: s.turn_end(), [HooksRan(1, [], ["true"], False)]),
    "a stop": (lambda s: s.interrupt(message_id=MESSAGE), [Interrupted(MESSAGE)]),
    "a stop of a tool": (lambda s: s.interrupt(for_tool=True, message_id=MESSAGE), [Interrupted(MESSAGE)]),
    "a call": (lambda s: s.call("Bash", {"command": "ls"}), [called()]),
    "a tag": (lambda s: s.say(TAG), [said()]),
    "a hook's words": (show, [shown()]),
    "a title": (lambda s: s.title("Till"), [Titled("Till")]),
    "a compaction": (lambda s: s.compact(), [Compacted(False), Compacted(True)]),
    "a compaction without its boundary": (lambda s: s.compact(boundary=False), [Compacted(True)]),
    "a task's end": (
        lambda s: s.notify("b1", "failed", 2, "toolu_9"),
        [ended("failed", 2, "failed with exit code 2")] * 2,
    ),
    "a task's good end": (
        lambda s: s.notify("b1", "completed", 0, "toolu_9"),
        [ended("ok", 0, "completed (exit code 0)")] * 2,
    ),
    "a result": (result("fine"), returned("ok", 0, "fine")),
    "a failure": (result("Exit code 2\nboom", error=True), returned("failed", 2, "Exit code 2\nboom")),
    "a soft failure": (result("", interpretation="No matches found"), returned("ok", None, "")),
    "a refusal": (result(REJECTED, denial="user-rejected"), returned("refused", None, REJECTED)),
    "an interruption": (result("half", interrupted=True), returned("interrupted", None, "half")),
    "a start in the background": (result("Running.", background="b1"), returned("unknown", None, "Running.", "b1")),
    "a file that was read: its text is nobody's business": (result("boom", tool="Read"), returned("ok", None, "")),
    "an answer of a server": (result("boom", tool="mcp__a__b"), returned("ok", None, "boom")),
    "a failure of a server": (result("boom", tool="mcp__a__b", error=True), returned("failed", None, "boom")),
    "a subagent: its task is no prompt": (
        subagent,
        [Returned(Session().subagent("ab12").call("Bash", {}), Verdict("ok", None), "a.py")],
    ),
}


@table("name", NOTHING)
def test_nothing_happened(name: str) -> None:
    assert events(NOTHING[name]) == []


@table("name", SOMETHING)
def test_this_happened(name: str) -> None:
    tell, expected = SOMETHING[name]
    found = events(tell)
    if "subagent" in name:
        assert isinstance(found[0], Returned) and found[0].verdict == Verdict("ok", None) and len(found) == 1
    else:
        assert found == expected


@table("name", ["a compaction", "a call", "a failure", "a hook's words", "a title"])
def test_older_clients_say_the_same(name: str) -> None:
    tell, expected = SOMETHING[name]
    assert events(tell, old=True) == expected


def test_the_old_sentence_counts_in_old_clients_only() -> None:
    assert events(lambda s: s.compact(old_marker=True), version="1.0.44") == [Compacted(True)]
    assert events(lambda s: s.compact(old_marker=True), version="2.1.325") == []
    quoted = events(lambda s: s.prompt(f"What does '{CONTINUED}' mean?"), version="1.0.44")
    assert [type(event) for event in quoted] == [Prompted]


def test_what_the_envelope_tells() -> None:
    session = Session(cwd="/w", branch="b")
    agent = session.subagent("ab12")
    agent.call("Bash", {"command": "ls"})
    uuid = str(agent.lines[0]["uuid"])
    [record] = Transcripts().records(encode(agent.lines[0]), 77)
    line = Line(77, uuid, session.id, "ab12", True, False, "2026-09-01T08:00:00.000Z", "/w", "b", "2.1.325")
    assert record is not None and record.line == line and record.is_conversation
    [copied] = Transcripts().records(encode({**agent.lines[0], "forkedFrom": {"sessionId": "other"}}), 77)
    assert copied is not None and copied.line.copied and copied.key == record.key


def test_a_copy_has_the_same_key_and_another_line_has_not() -> None:
    session = Session()
    session.prompt("one")
    session.hook_context(session.call("Bash", {"command": "ls"}), "a")
    session.compact()
    keys = [record.key for line in session.lines for record in Transcripts().records(encode(line), 0) if record]
    copies = [r.key for line in session.fork("s2").lines for r in Transcripts().records(encode(line), 9) if r]
    assert keys == copies and len(set(keys)) == len(keys)
    same_uuid = {**session.lines[0], "message": {"role": "user", "content": "two"}}
    [other] = Transcripts().records(encode(same_uuid), 0)
    assert other is not None and other.key not in keys


@table(
    ("data", "expected"),
    [
        (b"", None),
        (b'{"type":"user"', None),
        (b"hello\n", None),
        (b"{}\n", False),
        (b'{"timestamp":"T","type":"session_meta","payload":{"id":"1"}}\n', False),
        (b'{"sessionId":"s","projectHash":"h"}\n{"id":"1","type":"user","content":"hi"}\n', False),
        (b'{"type":"user","id":"1","content":"hi"}\n', False),
        (b'{"type":"user","sessionId":"s","message":{"parts":[]}}\n{"type":"system","sessionId":"s"}\n', False),
        (b'{"type":"session","id":"1"}\n{"type":"message","message":{"role":"user","content":[]}}\n', False),
        (b'{"type":[],"message":{}}\n{"type":{},"sessionId":1}\n', False),
        (b'{"type":"user","message":{"content":"hi"}}\n', True),
        (b'{"type":"a-new-type","sessionId":"s"}\n', True),
        (b'{"x":1}\n{"type":"user","sessionId":"s"}\n', True),
        (b'\xef\xbb\xbf{"type":"summary","summary":"x"}\r\n', True),
        (b'half{"type":"user","sessionId":"s"}\n', True),
    ],
)
def test_whose_file_it_is(data: bytes, expected: bool | None) -> None:
    assert Transcripts().recognises((data,)) is expected


def test_a_hooks_words_are_handed_over_well_beyond_what_is_kept() -> None:
    def tell(session: Session) -> None:
        session.hook_context(session.call("Bash", {}), "x" * 20_000)

    assert [len(event.text) for event in events(tell) if isinstance(event, ContextShown)] == [4_096 + 8_192]


def test_a_title_is_not_cut() -> None:
    assert events(lambda s: s.title("t" * 9_000)) == [Titled("t" * 9_000)]


def test_of_a_text_without_a_tag_the_beginning_is_handed_over() -> None:
    found = events(lambda s: s.say("x" * 20_000))
    assert [len(event.text) for event in found if isinstance(event, Wrote)] == [1_024 + 8_192]
    assert events(lambda s: s.say("")) == []


@table("marker", ["#Lesson", "#LESSON"])
def test_a_tag_in_any_case_is_handed_over(marker: str) -> None:
    assert [type(event) for event in events(lambda s: s.say(f"{marker}\nproblem: a"))] == [Wrote]
