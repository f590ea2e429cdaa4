"""Whether the text of a hook arrived, by the transcript; and no transcript can mislead the hook."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.agents.claude_code.delivery import arrived, is_answered, note
from lessons.match.call import ToolCall
from tests.builders.client_lines import REJECTED
from tests.builders.transcript import Session
from tests.tables import table

BEFORE, AFTER = "PreToolUse", "PostToolUseFailure"
STASH = {"command": "git stash"}
STOPPED = "[Request interrupted by user for tool use]"


def nothing_yet(session: Session, call: str) -> None:
    session.bookkeeping()


def rejected_this_moment(session: Session, call: str) -> None:
    session.result(call, REJECTED, denial="user-rejected")


def siblings_rejected_this_moment(session: Session, call: str) -> None:
    session.result(call, REJECTED, denial="user-rejected")
    session.result(session.call("Bash", STASH, same_message=True), REJECTED, denial="user-rejected")
    session.lines[-2:] = session.lines[-1:]  # without the assistant's line, which came before both results


def rejected(session: Session, call: str) -> None:
    session.result(call, REJECTED, denial="user-rejected")
    session.interrupt(for_tool=True)


def another_was_rejected(session: Session, call: str) -> None:
    rejected(session, session.call("Bash", STASH))


def rejected_with_a_remark(session: Session, call: str) -> None:
    session.hook_context(call, "a fact")
    session.result(call, f"{REJECTED} The user said: use another name", denial="user-rejected")
    session.say("well then")


def stopped_while_it_ran(session: Session, call: str) -> None:
    session.result(call, REJECTED, denial="interrupted")
    session.interrupt(for_tool=True, message_id=session.message_id)


def failed_without_a_record(session: Session, call: str) -> None:
    """As older clients write it, which record nothing of what they send."""
    session.result(call, "Exit code 1\nlog: [Request interrupted by user]", error=True)
    session.bookkeeping()
    session.say("I see")


def ended_as_older_clients_say_it(*words: str) -> Callable[[Session, str], None]:
    def happened(session: Session, call: str) -> None:
        session.result(call, "".join(words), error=True)
        session.say("I see")

    return happened


def ran(session: Session, call: str) -> None:
    session.hook_context(call, "a fact")
    session.result(call, "done")


def ran_without_a_record(session: Session, call: str) -> None:
    session.result(call, "done")
    session.say("fine")


def context_of_another_event(session: Session, call: str) -> None:
    session.result(call, "Exit code 1\nno", error=True)
    session.hook_context(call, "a fact", AFTER)
    session.say("I see")


def context_of_another_call(session: Session, call: str) -> None:
    session.hook_context(session.call("Bash", STASH), "a fact")
    rejected(session, call)


def quoted(session: Session, call: str) -> None:
    """A file that looks like a transcript, read by the agent, says nothing about the call."""
    line = {"type": "attachment", "attachment": {"type": "hook_additional_context", "toolUseID": call}}
    session.result(session.call("Read", {"file_path": "/x"}), json.dumps({**line, "hookEvent": BEFORE}))
    rejected(session, call)


def failed_and_told(session: Session, call: str) -> None:
    session.result(call, "Exit code 1\nno", error=True)
    session.hook_context(call, "a fact", AFTER)


def failed_this_moment(session: Session, call: str) -> None:
    session.hook_context(call, "a fact", BEFORE)
    session.result(call, "Exit code 1\nno", error=True)


Happened = Callable[[Session, str], None]
CASES: list[tuple[Happened, str, bool | None]] = [
    (nothing_yet, BEFORE, None),
    (rejected_this_moment, BEFORE, None),
    (siblings_rejected_this_moment, BEFORE, None),
    (another_was_rejected, BEFORE, None),
    (failed_this_moment, AFTER, None),
    (ran, BEFORE, True),
    (ran_without_a_record, BEFORE, True),
    (rejected_with_a_remark, BEFORE, True),
    (failed_this_moment, BEFORE, True),
    (failed_and_told, AFTER, True),
    (rejected, BEFORE, False),
    (stopped_while_it_ran, BEFORE, False),
    (failed_without_a_record, BEFORE, True),
    (failed_without_a_record, AFTER, True),
    (ended_as_older_clients_say_it("Error: ", REJECTED), BEFORE, True),
    (context_of_another_event, BEFORE, True),
    (ended_as_older_clients_say_it(REJECTED), BEFORE, False),
    (ended_as_older_clients_say_it("Exit code 137\n", STOPPED), BEFORE, False),
    (ended_as_older_clients_say_it(STOPPED), AFTER, False),
    (ended_as_older_clients_say_it("<tool_use_error>Sibling tool call errored</tool_use_error>"), BEFORE, False),
    (context_of_another_call, BEFORE, False),
    (quoted, BEFORE, False),
]


def a_call(tool_use_id: str, agent_id: str = "") -> ToolCall:
    return ToolCall("Bash", STASH, tool_use_id=tool_use_id, agent_id=agent_id)


@table("agent_id", ["", "a7a6540f1856ccda9"])
@table(("happened", "event", "expected"), CASES)
def test_what_the_transcript_tells(
    tmp_path: Path, happened: Happened, event: str, expected: bool | None, agent_id: str
) -> None:
    main = Session()
    session = main.subagent(agent_id) if agent_id else main
    session.prompt("do it")
    rejected(session, session.call("Bash", STASH))
    call = session.call("Bash", STASH)
    noted = note(a_call(call, agent_id), event, str(main.write(tmp_path)))
    happened(session, call)
    main.write(tmp_path)
    assert arrived(noted) is expected
    assert is_answered(noted) is (expected is not None)


@pytest.fixture
def told(tmp_path: Path) -> tuple[str, Path]:
    """The note of a rejected call, and the transcript that tells of it."""
    session = Session()
    call = session.call("Bash", STASH)
    path = session.write(tmp_path)
    noted = note(a_call(call), BEFORE, str(path))
    rejected(session, call)
    session.write(tmp_path)
    assert arrived(noted) is False
    return noted, path


def test_without_a_transcript_nobody_knows_whether_the_model_went_on(tmp_path: Path) -> None:
    missing = note(a_call("toolu_01"), BEFORE, str(tmp_path / "missing.jsonl"))
    for noted in ("", "{}", "[]", missing):
        assert is_answered(noted) is None


def test_a_damaged_result_does_not_stop_a_rerun_again(told: tuple[str, Path]) -> None:
    noted, path = told
    path.write_bytes(path.read_bytes().replace(b'"type":"tool_result"', b'"type":"tool_result" "'))
    assert arrived(noted) is None
    assert is_answered(noted) is None


def test_a_line_that_is_still_being_written_does_not_count(told: tuple[str, Path]) -> None:
    noted, path = told
    data = path.read_bytes()
    for kept in range(len(data) - 1, data.rindex(b"\n", 0, -1), -97):
        path.write_bytes(data[:kept])
        assert arrived(noted) is None


def test_what_lies_far_behind_is_not_looked_for(told: tuple[str, Path]) -> None:
    noted, path = told
    start = json.loads(noted)[3]
    data = path.read_bytes()
    filler = b'{"type":"last-prompt"}\n' * (1024 * 1024 // 23 + 1)
    path.write_bytes(data[:start] + filler[:1000])
    assert arrived(noted) is None
    path.write_bytes(data[:start] + filler + data[start:])
    assert arrived(noted) is True, "or every later call would look in vain"
    path.write_bytes(data + filler)
    assert arrived(noted) is False


def test_a_file_that_was_shortened_tells_nothing(told: tuple[str, Path]) -> None:
    noted, path = told
    path.write_bytes(path.read_bytes()[:100])
    assert arrived(noted) is None


def lay_folder(path: Path) -> None:
    path.mkdir()


def lay_pipe(path: Path) -> None:
    os.mkfifo(path)


def lay_endless_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def lay_foreign(path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only the superuser can give a file away")
    data = Session().data() + b'{"type":"user"}\n'
    path.write_bytes(data)
    os.chown(path, 54321, 54321)


LAID = [lay_folder, lay_pipe, lay_endless_device, lay_foreign]


@table("lay", LAID)
def test_only_a_plain_file_of_the_user_is_opened(tmp_path: Path, lay: Callable[[Path], None]) -> None:
    path = tmp_path / "t.jsonl"
    lay(path)
    began = time.monotonic()
    noted = note(a_call("toolu_1"), BEFORE, str(path))
    assert arrived(noted) is None
    assert time.monotonic() - began < 30  # a FIFO that is waited for never ends


@table(
    ("call", "transcript"),
    [
        (a_call(""), "/t/s.jsonl"),
        (a_call("toolu_1"), ""),
        (a_call("toolu_1"), "/etc/passwd"),
        (a_call("toolu_1"), "/" + "x" * 5000 + ".jsonl"),
        (a_call('toolu"1'), "/t/s.jsonl"),
        (a_call("toolu\\1"), "/t/s.jsonl"),
        (a_call("x" * 201), "/t/s.jsonl"),
        (a_call("toolu_1", "../../../etc/x"), "/t/s.jsonl"),
        (a_call("toolu_1", "a/b"), "/t/s.jsonl"),
        (a_call("toolu_1", "x" * 201), "/t/s.jsonl"),
    ],
)
def test_no_note_about_what_cannot_be_looked_up(call: ToolCall, transcript: str) -> None:
    assert note(call, BEFORE, transcript) == ""


@table(
    "noted",
    [
        "", "{", "null", "7", "[]", "[1,2,3,4]", '["a","b"]', '{"a":1}', '["toolu_1","PreToolUse",null,0]',
        '["toolu_1","PreToolUse","/etc/passwd",-1]', '["toolu_1","PreToolUse","/etc/passwd","x"]',
        '["toolu_1","PreToolUse","/etc/passwd",1e99]', '["toolu_1","PreToolUse",0,0]',
    ],
)  # fmt: skip
def test_a_note_that_is_none(noted: str) -> None:
    assert arrived(noted) is None
