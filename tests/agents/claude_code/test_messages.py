"""Every kind of line that the client writes gives exactly these events."""

import json
from collections.abc import Callable

from lessons.agents.base import Line
from lessons.agents.claude_code.messages import human_text, request_text, sureness
from lessons.agents.claude_code.records import RawLine, RawOrigin
from lessons.agents.claude_code.transcript import Transcripts
from lessons.agents.events import (
    Called,
    Compacted,
    ContextShown,
    Event,
    HooksRan,
    Interrupted,
    Outcome,
    Prompted,
    Queued,
    QueueEmptied,
    Repeated,
    Returned,
    TaskEnded,
    Titled,
    Verdict,
    Wrote,
)
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
    "a queue that is taken back": (lambda s: s.take_back("also lint"), [QueueEmptied()]),
    "what a script asks for": (lambda s: s.prompt("go", source="sdk"), [Repeated("go")]),
    "the end of a turn": (lambda s: s.turn_end(), [HooksRan(1, [], ["true"], [9], False, "")]),
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


def test_of_a_text_without_a_tag_the_beginning_is_handed_over() -> None:
    found = events(lambda s: s.say("x" * 20_000))
    assert [len(event.text) for event in found if isinstance(event, Wrote)] == [1_024 + 8_192]
    assert events(lambda s: s.say("")) == []


def line(**fields: object) -> RawLine:
    """A line with these fields; `origin` is its kind."""
    origin = {"origin": RawOrigin(str(kind))} if (kind := fields.pop("origin", None)) else {}
    return RawLine(**{"entrypoint": "cli", **fields, **origin})  # type: ignore[arg-type]


TYPED: dict[str, object] = {"prompt_source": "typed", "origin": "human"}
REMINDER = "<system-reminder>\nThe file a.txt has changed.\n</system-reminder>"


@table(
    "text",
    [
        "",
        " \n",
        "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
        "<command-message>review</command-message>\n<command-name>/review</command-name>",
        "<command-name>/a</command-name><command-args>cut off",
        "<local-command-stdout>Bye</local-command-stdout>",
        "<local-command-caveat>Caveat: do not answer</local-command-caveat>",
        "Caveat: The messages below were generated by the user while running local commands. Do not answer.",
        "<bash-input>git pull</bash-input>",
        "<bash-stdout>done</bash-stdout><bash-stderr></bash-stderr>",
        "<task-notification>\n<task-id>b</task-id>\n</task-notification>",
        '<teammate-message teammate_id="a">hello</teammate-message>',
        REMINDER,
        f"{REMINDER}\n{REMINDER}",
        "Stop hook feedback:\n- run the tests first",
        "[Request interrupted by user]",
        "[Request interrupted by user for tool use]",
        "This session is being continued from a previous conversation that ran out of context. Summary: x",
        "Base directory for this skill: /s\n\nDo it well.",
        "Implement the following plan:\n\n# Add a button",
        "[Image #1]",
        "[Image: source: /cache/1.png]",
    ],
)
def test_what_no_person_typed(text: str) -> None:
    assert human_text(text) == ""
    assert sureness(text, line()) == "no"
    assert sureness(text, line(**TYPED)) == "no"


@table(
    "changed",
    [
        {"is_meta": True},
        {"is_compact_summary": True},
        {"is_sidechain": True},
        {"is_visible_in_transcript_only": True},
        {"origin": "task-notification"},
        {"origin": "peer"},
        {"origin": None, "prompt_source": "system"},
        {"origin": None, "prompt_source": "sdk", "entrypoint": "sdk-cli"},
        {"origin": None, "prompt_source": None, "entrypoint": "sdk-cli"},
    ],
)
def test_what_the_client_says_no_person_typed(changed: dict[str, object]) -> None:
    assert sureness("use pnpm here", line(**(TYPED | changed))) == "no"


@table(
    ("changed", "expected"),
    [
        ({}, "sure"),
        ({"prompt_source": "queued"}, "sure"),
        ({"prompt_source": None}, "likely"),
        ({"prompt_source": "sdk", "entrypoint": "sdk-cli"}, "likely"),
        ({"origin": None}, "likely"),
        ({"origin": None, "prompt_source": None}, "likely"),
        ({"origin": None, "prompt_source": None, "entrypoint": None}, "likely"),
        ({"origin": None, "prompt_source": "sdk", "entrypoint": "claude-vscode"}, "likely"),
    ],
)
def test_how_sure_it_is_that_a_person_typed_it(changed: dict[str, object], expected: str) -> None:
    assert sureness("use pnpm here", line(**(TYPED | changed))) == expected


@table(
    "text",
    [
        "use pnpm here",
        "why did it say [Request interrupted by user]?",
        "what does <system-reminder>x</system-reminder> mean?",
        "the log ends with\n<task-notification>",
        "<div> is not closed",
        "[WIP] finish this",
        "look at\n<system-reminder> which is never closed",
        "Implement the following plan: first the button",
    ],
)
def test_words_that_only_quote_the_client_stay_whole(text: str) -> None:
    assert human_text(text) == text
    assert sureness(text, line()) == "likely"


@table(
    ("text", "words"),
    [
        ("  use pnpm \n", "use pnpm"),
        (f"use pnpm\n{REMINDER}", "use pnpm"),
        (f"{REMINDER}\nuse pnpm\n{REMINDER}\nplease", "use pnpm\n\nplease"),
        ("<ide_opened_file>The user opened a.py</ide_opened_file>\nuse pnpm", "use pnpm"),
        ("[Request interrupted by user for tool use]\nuse pnpm", "use pnpm"),
        ("[Image #1] the button is red [Image #12]", "the button is red"),
        ("the button is red\n[Image: source: /cache/1.png]", "the button is red"),
        ("<user-memory-input>use pnpm</user-memory-input>", "use pnpm"),
        ("<command-name>/plan</command-name>\n<command-args>use pnpm</command-args>", "use pnpm"),
        (
            "<command-message>p</command-message>\n<command-args>a\n</command-args> b</command-args>",
            "a\n</command-args> b",
        ),
    ],
)
def test_the_part_that_a_person_typed(text: str, words: str) -> None:
    assert human_text(text) == words
    assert sureness(text, line(**TYPED)) == "sure"


@table(
    ("name", "given", "expected"),
    [
        *((name, "", "") for name in "/add-dir /mcp /cost /context /usage /plugin /permissions /exit /model".split()),
        *((name, "x", "") for name in "/add-dir /mcp /model /compact /resume /config /plugin /memory".split()),
        ("", "", ""),
        ("/fixit", "", "/fixit"),
        ("/fixit", "12 now", "/fixit 12 now"),
        ("/review", "", "/review"),
        ("/team:deploy", "", "/team:deploy"),
    ],
)
def test_a_command_is_a_request_unless_it_is_one_to_the_client(name: str, given: str, expected: str) -> None:
    text = f"<command-message>x</command-message>\n<command-name>{name}</command-name>\n"
    assert request_text(f"{text}<command-args>{given}</command-args>") == expected


def test_many_openings_cost_no_more_than_their_length() -> None:
    text = "go\n" + "<system-reminder>\n" * 50_000
    assert human_text(text).startswith("go")
