"""Following a transcript: what counts as the session's work, in any pieces, and with hostile files."""

import os
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.continuity import transcript_tail as reading
from lessons.continuity.session_follower import NewSinceLast
from lessons.continuity.transcript_tail import read_tail
from lessons.session import RanCommand, Work
from lessons.store.project_state.timestamps import seconds
from tests.builders.transcript import Session
from tests.sizes import examples
from tests.tables import table

NOW = datetime(2026, 12, 1, tzinfo=UTC)
ROOT = "/home/somebody/shop"


def look(path: Path, data: bytes | None = None, work: Work | None = None) -> tuple[Work, NewSinceLast]:
    if data is not None:
        path.write_bytes(data)
    return read_tail(work or Work(), str(path), NOW, ROOT)


def ran(session: Session, command: str, text: str = "", error: bool = False, **more: str) -> str:
    call = session.call("Bash", {"command": command})
    session.result(call, text, error=error, background=more.get("background"), denial=more.get("denial"))
    return call


def full_session() -> Session:
    """A bit of everything."""
    session = Session()
    session.prompt("Make the till count.")
    session.say("I look at it first.")
    session.result(session.call("Read", {"file_path": f"{ROOT}/till.py"}), "1 x")
    ran(session, "make test", "Exit code 2\nmake: *** [test] Error 1", error=True)
    ran(session, "git commit -m 'The till counts'")
    ran(session, "rm -rf /", "no", denial="user-rejected")
    session.result(session.call("Edit", {"file_path": f"{ROOT}/till.py", "old_string": "a", "new_string": "b"}), "done")
    session.result(session.call("Write", {"file_path": "/elsewhere/x", "content": "y"}), "Exit code 1", error=True)
    made = session.call("TaskCreate", {"subject": "Count coins", "description": "d"})
    session.result(made, "Task #1 created successfully: Count coins", details={"task": {"id": "1"}})
    session.result(session.call("TaskUpdate", {"taskId": "1", "status": "in_progress"}), "Updated", details={"x": 1})
    session.result(session.call("Agent", {"subagent_type": "Explore", "prompt": "Find coins"}), "found")
    ran(session, "sleep 100", "Command running in background with ID: b1", background="b1")
    session.notify("b1", exit_code=3, status="failed")
    session.bookkeeping(3_000)
    session.compact()
    session.prompt("And now → the drawer.")
    session.say("Which drawer do you mean?")
    session.turn_end()
    return session


def test_of_an_empty_or_foreign_file_nothing_is_known(tmp_path: Path) -> None:
    for data in (b"", b"\n\n", b"no json\n", b'{"a": 1}\n', b"[]\n", b"\0" * 5_000 + b"\n"):
        work, new = look(tmp_path / "t.jsonl", data)
        assert (work.offset, work.last_request, work.worked, new.moments) == (len(data), "", [], [])


def test_what_cannot_be_read_leaves_what_is_known(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    before = Work(last_request="x", offset=5)
    for name in ("missing", "pipe", "."):
        work, new = look(tmp_path / name, work=before)
        assert work == before
        assert new.unreadable


def test_a_subagents_records_are_not_the_sessions_own(tmp_path: Path) -> None:
    session = Session()
    agent = session.subagent("a1")
    agent.prompt("Do a part")
    ran(agent, "rm x")
    work, new = look(tmp_path / "t.jsonl", agent.data())
    assert (work.last_request, work.worked, work.open_calls, new.moments) == ("", [], {}, [])


def test_the_whole_story(tmp_path: Path) -> None:
    work, new = look(tmp_path / "t.jsonl", full_session().data())
    assert work.last_request == "And now → the drawer."
    assert work.tasks == ["Count coins (in progress)"]
    assert work.files_edited == ["till.py"]
    assert [(each.command, each.exit_code) for each in work.worked] == [("git commit -m 'The till counts'", 0)]
    assert [(each.command, each.exit_code) for each in work.failed] == [("make test", 2), ("sleep 100", 3)]
    assert work.failed[0].error == "make: *** [test] Error 1"
    assert work.questions == ["Which drawer do you mean?"]
    assert (len(work.commit_windows), work.commit_calls, work.open_calls, work.skipped) == (2, {}, {}, 0)
    assert [moment.path for moment in new.moments] == ["till.py"]
    assert [(each.agent, each.prompt) for each in new.invocations] == [("Explore", "Find coins")]


def test_a_request_of_a_script_is_a_request(tmp_path: Path) -> None:
    session = Session()
    session.prompt("Count everything", source="sdk")
    session.prompt("a machine's words", meta=True)
    session.prompt("<command-name>/compact</command-name>\n<command-args>keep all</command-args>")
    assert look(tmp_path / "t.jsonl", session.data())[0].last_request == "Count everything"
    session.prompt(
        "<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>12</command-args>"
    )
    assert look(tmp_path / "t.jsonl", session.data())[0].last_request == "/fix 12"
    session.prompt("<command-name>/cost</command-name>\n<command-args></command-args>")
    assert look(tmp_path / "t.jsonl", session.data())[0].last_request == "/fix 12"
    session.prompt("<command-message>tidy</command-message>\n<command-name>/tidy</command-name>")
    assert look(tmp_path / "t.jsonl", session.data())[0].last_request == "/tidy"


def test_a_task_whose_change_was_refused_stays_as_it_is(tmp_path: Path) -> None:
    session = Session()
    made = session.call("TaskCreate", {"subject": "Count coins", "description": "d"})
    session.result(made, "Task #1 created successfully: Count coins", details={"task": {"id": "1"}})
    change = session.call("TaskUpdate", {"taskId": "1", "status": "completed"})
    assert look(tmp_path / "t.jsonl", session.data())[0].tasks == ["Count coins"]
    session.result(change, "Error: a hook said no", error=True)
    assert look(tmp_path / "t.jsonl", session.data())[0].tasks == ["Count coins"]
    session.result(session.call("TaskUpdate", {"taskId": "1", "status": "completed"}), "Updated", details={"x": 1})
    assert look(tmp_path / "t.jsonl", session.data())[0].tasks == []


def test_from_when_to_when_a_call_may_have_committed(tmp_path: Path) -> None:
    """Not while it was refused; until the end of what goes on in the background; and as long as a subagent runs."""
    session, path = Session(), tmp_path / "t.jsonl"
    ran(session, "git commit -m x", "no", denial="user-rejected")
    ran(session, "git status")
    work, _ = look(path, session.data())
    assert (work.commit_windows, work.commit_calls) == ([], {})
    ran(session, "git commit -m x")
    work, _ = look(path, session.data())
    [(begin, end)] = work.commit_windows
    assert 0 < begin < end == seconds(work.last_time)
    call = ran(session, "sleep 9; git commit", "Command running in background with ID: b1", background="b1")
    agent = session.call("Agent", {"prompt": "Commit it"})
    work, _ = look(path, session.data())
    assert (len(work.commit_windows), [*work.commit_calls]) == (1, [call, agent])
    session.notify("b1")
    session.result(agent, "done")
    work, _ = look(path, session.data())
    assert (len(work.commit_windows), work.commit_calls) == (3, {})


def test_questions_wait_for_an_answer(tmp_path: Path) -> None:
    session, path = Session(), tmp_path / "t.jsonl"

    def questions() -> list[str]:
        return look(path, session.data())[0].questions

    call = session.call("AskUserQuestion", {"questions": [{"question": "Red or blue?"}]})
    assert questions() == ["Red or blue?"]
    session.result(call, "The user doesn't want to proceed with this tool use.", error=True)
    assert questions() == ["Red or blue?"]
    session.prompt("Red.")
    assert questions() == []
    session.say("Shall I?")
    ran(session, "true")
    assert questions() == []
    session.result(session.call("AskUserQuestion", {"questions": [{"question": "Now?"}]}), "User has answered")
    assert questions() == []


def test_a_long_pause_is_noted_and_the_clock_of_a_transcript_is_not_believed(tmp_path: Path) -> None:
    times = ("2026-11-01T10:00:00Z", "2026-11-01T10:29:00Z", "2026-11-01T11:00:00Z", "9999-01-01T00:00:00Z")
    session = Session()
    for number in range(len(times)):
        session.result(session.call("Read", {"file_path": f"{ROOT}/{number}"}), "x")
    for number, line in enumerate(session.lines):
        line["timestamp"] = times[number // 2]
    work, new = look(tmp_path / "t.jsonl", session.data())
    assert [moment.path for moment in new.moments] == ["0", "1", "", "2", "", "3"]
    assert work.last_time == "2026-12-01T00:00:00.000Z"
    assert (work.first_time, new.moments[0].time) == (times[0], 1_793_527_200_000)


def appended(path: Path, pieces: list[bytes]) -> tuple[Work, NewSinceLast]:
    work, whole = Work(), NewSinceLast()
    for piece in pieces:
        with path.open("ab") as file:
            file.write(piece)
        work, new = read_tail(work, str(path), NOW, ROOT)
        whole.moments += new.moments
        whole.invocations += new.invocations
        whole.bytes_read += new.bytes_read
    return work, whole


def cut_at(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


STORY = full_session().data()
HOSTILE = [
    b'{"type":"user","sessionId":"s","message":{"role":"user","content":"\xff\xfe \\ud83d half"}}',
    b'{"type":"user","sessionId":"s"}{"type":"user","sessionId":"s","message":{"content":"two in one"}}',
    b"\0\0\0\0",
    b'{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":"x","name":"Bash","input":',
    b'{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":5,"name":7,"input":[]}]}}',
]


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 10**6), max_size=6), st.lists(st.sampled_from(HOSTILE), max_size=3), st.booleans())
def test_read_in_pieces_it_is_the_same_as_read_at_once(
    tmp_path: Path, places: list[int], damage: list[bytes], has_end: bool
) -> None:
    lines = STORY.rstrip(b"\n").split(b"\n")
    for number, line in enumerate(damage):
        lines.insert((7 * number + 3) % len(lines), line)
    data = b"\n".join(lines) + b"\n" * has_end
    path = tmp_path / "t.jsonl"
    path.unlink(missing_ok=True)
    at_once = appended(path, [data])
    path.write_bytes(b"")
    assert appended(path, cut_at(data, places)) == at_once


def test_a_line_without_an_end_waits_for_it(tmp_path: Path) -> None:
    session = Session()
    session.prompt("first")
    session.prompt("second")
    work, _ = look(tmp_path / "t.jsonl", session.data(newline=False))
    assert (work.last_request, work.offset) == ("first", session.data().index(b"\n") + 1)


@table("change", ["shrunk", "replaced", "rewritten"])
def test_another_file_in_its_place_is_read_from_its_beginning(tmp_path: Path, change: str) -> None:
    path = tmp_path / "t.jsonl"
    before, _ = look(path, STORY)
    other = Session("other")
    other.prompt("Something else")
    if change == "replaced":
        other.bookkeeping(2 * len(STORY))
        (tmp_path / "new").write_bytes(other.data())
        os.replace(tmp_path / "new", path)
    elif change == "rewritten":
        path.write_bytes(STORY.replace(b"drawer", b"DRAWER")[:-50] + other.data())
    else:
        path.write_bytes(other.data())
    work, _ = look(path, work=before)
    assert (work, work.last_request) == (look(path)[0], "Something else")


def test_nothing_new_changes_nothing(tmp_path: Path) -> None:
    work, _ = look(tmp_path / "t.jsonl", STORY)
    again, new = look(tmp_path / "t.jsonl", work=work)
    assert (again, new) == (work, NewSinceLast())


def test_of_a_very_long_one_only_the_end_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.jsonl"
    session = Session()
    session.prompt("long ago")
    session.bookkeeping(50_000)
    before = len(session.data())
    session.prompt("of late")
    data = session.data()
    monkeypatch.setattr(reading, "MOST_BYTES", len(data) - before)
    work, new = look(path, data)
    assert (work.last_request, work.skipped, new.bytes_read) == ("of late", before, len(data) - before)
    monkeypatch.setattr(reading, "MOST_BYTES", len(data) - before - 1)
    work, new = look(path, data)
    assert (work.last_request, work.skipped, work.offset) == ("", len(data), len(data))
    session.prompt("and now")
    monkeypatch.undo()
    assert look(path, session.data(), work)[0].last_request == "and now"


def test_a_giant_line_is_read_in_part(tmp_path: Path) -> None:
    session = Session()
    call = session.call("Bash", {"command": "cat big " + "x" * 5_000_000})
    session.result(call, "Exit code 1\nerror: " + "y" * 2_400_000, error=True)
    session.prompt("z" * 4_400_000)
    work, _ = look(tmp_path / "t.jsonl", session.data())
    assert len(work.last_request) == 500
    assert (len(work.failed[0].command), len(work.failed[0].error)) == (1_000, 200)


def test_secrets_do_not_get_in(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    session = Session()
    session.prompt(f"use {token}")
    ran(session, f"curl -H 'Authorization: Bearer {token}' x", f"Exit code 22\nerror with {token}", error=True)
    session.call("Bash", {"command": f"export TOKEN={token}"})
    session.call("AskUserQuestion", {"questions": [{"question": f"Is {token} right?"}]})
    session.result(session.call("Agent", {"prompt": f"use {token}"}), "x")
    work, new = look(tmp_path / "t.jsonl", session.data())
    assert token not in repr(work) + repr(new)
    assert work.failed[0].command == "curl -H 'Authorization: Bearer [redacted:github-token]' x"


def test_the_same_call_told_twice_stands_once(tmp_path: Path) -> None:
    """Clients have written their lines once more after a second compaction."""
    session = Session()
    session.prompt("go")
    ran(session, "make")
    data = session.data()
    work, new = look(tmp_path / "t.jsonl", data + data)
    assert work.worked == [RanCommand(command="make", exit_code=0, time=work.worked[0].time)]
    assert new.moments == []
