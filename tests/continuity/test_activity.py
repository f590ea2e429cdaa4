"""Reading a transcript: what counts as the session's work, whatever the file holds."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.agents.base import Line, Record
from lessons.agents.events import (
    Action,
    Called,
    EditFile,
    Event,
    Outcome,
    ReadFile,
    Returned,
    RunCommand,
    StartAgent,
    Verdict,
)
from lessons.continuity import activity as reading
from lessons.continuity.activity import Activity, error_lines, question_in, read_activity, storable, storable_line
from lessons.continuity.commits import Windows
from lessons.project_state import ContextTracking, RanCommand, seconds
from tests.builders.transcript import Session
from tests.sizes import examples
from tests.tables import table

NOW = datetime(2026, 12, 1, tzinfo=UTC)
ROOT = "/home/somebody/shop"


def look(path: Path, data: bytes | None = None) -> Activity:
    if data is not None:
        path.write_bytes(data)
    return read_activity("claude-code", str(path), ROOT, NOW)


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


def told(found: Activity) -> tuple[object, ...]:
    """All that is stored of it."""
    tracking = found.tracking(ContextTracking())
    requests = found.last_request, found.earlier_request
    lists = found.tasks(), found.questions(), found.running(), found.files_edited(), found.commands()
    return (*requests, *lists, tracking, found.invocations, found.commit_windows(False, NOW.timestamp()))


# What does not count.


def test_nothing_is_known_of_an_empty_or_foreign_file(tmp_path: Path) -> None:
    for data in (b"", b"\n\n", b"no json\n", b'{"a": 1}\n', b"[]\n", b"\0" * 5_000 + b"\n"):
        found = look(tmp_path / "t.jsonl", data)
        assert not found.unreadable and told(found) == told(look(tmp_path / "t.jsonl", b""))


def test_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (("missing", "cannot be read"), ("pipe", "is not a regular file"), (".", "is not a regular")):
        found = look(tmp_path / name)
        assert found.unreadable and reason in found.partial


def test_a_subagents_records_are_not_the_sessions_own(tmp_path: Path) -> None:
    agent = Session().subagent("a1")
    agent.prompt("Do a part")
    ran(agent, "rm x")
    assert told(look(tmp_path / "t.jsonl", agent.data())) == told(look(tmp_path / "t.jsonl", b""))


def test_records_that_the_user_excluded_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(full_session().data())
    found = read_activity("claude-code", str(path), ROOT, NOW, refuses=lambda line: True)
    assert told(found) == told(look(tmp_path / "other.jsonl", b""))


def test_no_secret_is_stored(tmp_path: Path) -> None:
    token = TOKEN
    session = Session()
    session.prompt(f"use {token}")
    ran(session, f"curl -H 'Authorization: Bearer {token}' x", f"Exit code 22\nerror with {token}", error=True)
    ran(session, f"export TOKEN={token}", "Command running in background with ID: b1", background="b1")
    session.result(session.call("Read", {"file_path": f"/{token}"}), "x")
    made = session.call("TaskCreate", {"subject": f"use {token}", "description": "d"})
    session.result(made, "Task #1 created successfully", details={"task": {"id": "1"}})
    session.call("AskUserQuestion", {"questions": [{"question": f"Is {token} right?"}]})
    session.result(session.call("Agent", {"prompt": f"use {token}"}), "x")
    found = look(tmp_path / "t.jsonl", session.data())
    assert "redacted" in repr(told(found)) and token not in repr(told(found))
    assert found.commands()[1][0].command == "curl -H 'Authorization: Bearer [redacted:github-token]' x"


# What counts.


def test_the_whole_story(tmp_path: Path) -> None:
    found = look(tmp_path / "t.jsonl", full_session().data())
    assert found.last_request == "And now → the drawer."
    assert found.tasks() == ["Count coins (in progress)"]
    assert found.files_edited() == ["till.py"]
    worked, failed = found.commands()
    assert [(each.command, each.exit_code) for each in worked] == [("git commit -m 'The till counts'", 0)]
    assert [(each.command, each.exit_code) for each in failed] == [("make test", 2), ("sleep 100", 3)]
    assert failed[0].error == "make: *** [test] Error 1"
    assert (found.questions(), found.running()) == (["Which drawer do you mean?"], [])
    assert len(found.commit_windows(False, NOW.timestamp())) == 2
    assert found.tracking(ContextTracking()).files_read == ["till.py"]
    assert [(each.agent, each.prompt) for each in found.invocations] == [("Explore", "Find coins")]
    assert found.partial == ""


def test_a_short_request_comes_with_the_last_one_that_says_what_is_wanted(tmp_path: Path) -> None:
    session = Session()
    for text in ("Hello.", "Make the till count every coin.", "yes", "continue"):
        session.prompt(text)
    found = look(tmp_path / "t.jsonl", session.data())
    assert (found.last_request, found.earlier_request) == ("continue", "Make the till count every coin.")
    session.prompt("Now paint the shelf in blue.")
    found = look(tmp_path / "t.jsonl", session.data())
    assert (found.last_request, found.earlier_request) == ("Now paint the shelf in blue.", "")


def test_a_task_whose_change_was_refused_stays_as_it_is(tmp_path: Path) -> None:
    session = Session()
    made = session.call("TaskCreate", {"subject": "Count coins", "description": "d"})
    session.result(made, "Task #1 created successfully: Count coins", details={"task": {"id": "1"}})
    change = session.call("TaskUpdate", {"taskId": "1", "status": "completed"})
    session.result(change, "Error: a hook said no", error=True)
    assert look(tmp_path / "t.jsonl", session.data()).tasks() == ["Count coins"]
    session.result(session.call("TaskUpdate", {"taskId": "1", "status": "completed"}), "Updated", details={"x": 1})
    assert look(tmp_path / "t.jsonl", session.data()).tasks() == []


def test_questions_wait_for_an_answer(tmp_path: Path) -> None:
    session, path = Session(), tmp_path / "t.jsonl"

    def questions() -> list[str]:
        return look(path, session.data()).questions()

    call = session.call("AskUserQuestion", {"questions": [{"question": "Red or blue?"}, {"question": "And\nwhen?"}]})
    assert questions() == ["Red or blue? / And when?"]
    session.result(call, "The user doesn't want to proceed with this tool use.", error=True)
    assert questions() == ["Red or blue? / And when?"]
    session.prompt("Red.")
    assert questions() == []
    session.say("Shall I?")
    assert questions() == ["Shall I?"]
    ran(session, "true")
    assert questions() == []
    session.result(session.call("AskUserQuestion", {"questions": [{"question": "Now?"}]}), "User has answered")
    assert questions() == []


@table(
    ("text", "expected"),
    [
        ("", ""),
        ("Done.", ""),
        ("Why? Because.", ""),
        ("Is it so?\n\nI think it is.", ""),
        ("Done. Shall I push it?", "Done. Shall I push it?"),
        ("All is green.\n\n**Shall I push it?**\n", "Shall I push it?"),
        ("続けますか？", "続けますか？"),
    ],
)
def test_the_question_at_the_end_of_a_message(text: str, expected: str) -> None:
    assert question_in(text) == expected


def test_after_a_long_pause_the_list_of_files_starts_anew(tmp_path: Path) -> None:
    """The clock of a transcript is not trusted: no time is later than now."""
    times = ("2026-11-01T10:00:00Z", "2026-11-01T10:29:00Z", "2026-11-01T11:00:00Z", "9999-01-01T00:00:00Z")
    session = Session()
    found = []
    for number in range(len(times)):
        session.result(session.call("Read", {"file_path": f"{ROOT}/{number}"}), "x")
        for line in session.lines[-2:]:
            line["timestamp"] = times[number]
        found.append(look(tmp_path / "t.jsonl", session.data()).tracking(ContextTracking()))
    assert [each.files_read for each in found] == [["0"], ["0", "1"], ["2"], ["3"]]
    moments = [int(1000 * seconds(time)) for time in (*times[:3], "2026-12-01T00:00:00.000Z")]
    assert [each.last_reset for each in found] == [moments[0], moments[0], *moments[2:]]
    assert [each.last_activity for each in found] == moments
    assert {each.first_activity for each in found} == {moments[0]}


STORY = full_session().data()
HOSTILE = [
    b'{"type":"user","sessionId":"s","message":{"role":"user","content":"\xff\xfe \\ud83d half"}}',
    b'{"type":"user","sessionId":"s"}{"type":"user","sessionId":"s","message":{"content":"two in one"}}',
    b"\0\0\0\0",
    b'{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":"x","name":"Bash","input":',
    b'{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":5,"name":7,"input":[]}]}}',
]


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(HOSTILE), max_size=3), st.booleans())
def test_damaged_lines_change_nothing_else(tmp_path: Path, damage: list[bytes], has_end: bool) -> None:
    lines = STORY.rstrip(b"\n").split(b"\n")
    for number, line in enumerate(damage):
        lines.insert((7 * number + 3) % len(lines), line)
    found = look(tmp_path / "t.jsonl", b"\n".join(lines) + b"\n" * has_end)
    assert told(found) == told(look(tmp_path / "sound.jsonl", STORY))


def test_of_a_very_long_one_only_the_end_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    session.prompt("long ago")
    session.bookkeeping(50_000)
    before = len(session.data())
    session.prompt("of late")
    data = session.data()
    monkeypatch.setattr(reading, "MOST_BYTES", len(data) - before)
    found = look(tmp_path / "t.jsonl", data)
    assert found.last_request == "of late"
    assert found.partial.startswith("Only 0 MB of the 0 MB of the transcript were read")
    monkeypatch.setattr(reading, "MOST_BYTES", len(data) - before - 1)
    assert look(tmp_path / "t.jsonl", data).last_request == ""


# Calls and their results, one by one.


def _called(action: Action) -> tuple[str, dict[object, object]]:
    """A call that does this."""
    match action:
        case RunCommand(line):
            return "Bash", {"command": line}
        case EditFile(path):
            return "Edit", {"file_path": path}
        case ReadFile(path):
            return "Read", {"file_path": path}
        case StartAgent(kind, prompt):
            return "Agent", {"subagent_type": kind, "prompt": prompt}
    raise AssertionError(action)


class Calls:
    """A session of single calls, each with its result."""

    def __init__(self) -> None:
        self.found = Activity(ROOT, NOW)
        self.count = 0

    def __call__(self, action: Action, verdict: Verdict, printed: str = "", time: str = "") -> None:
        name, self.count = f"{self.count}", self.count + 1
        self.take(Called(name, "", "", *_called(action)), time)
        self.take(Returned(name, verdict, printed), time)

    def take(self, event: Event, time: str = "") -> None:
        self.found.take(Record(Line(0, time=time), "", True, 0, [event]))


def command(line: str, verdict: Verdict, printed: str = "") -> tuple[list[RanCommand], list[RanCommand]]:
    calls = Calls()
    calls(RunCommand(line), verdict, printed, "1")
    return calls.found.commands()


@table("outcome", ["refused", "cancelled", "interrupted", "unknown"])
def test_what_did_not_end_by_itself_neither_worked_nor_failed(outcome: Outcome) -> None:
    assert command("make", Verdict(outcome, None)) == ([], [])


def test_a_command_is_listed_once_where_it_ended_last() -> None:
    calls = Calls()
    calls(RunCommand("make"), Verdict("failed", 2), "Exit code 2\nmake: *** error", "1")
    assert calls.found.commands()[1] == [RanCommand(command="make", exit_code=2, error="make: *** error", time="1")]
    calls(RunCommand("ls"), Verdict("ok", 0), "a b", "11")
    calls(RunCommand("make"), Verdict("ok", 0), "", "12")
    worked, failed = calls.found.commands()
    assert ([each.command for each in worked], failed) == (["ls", "make"], [])
    calls(RunCommand("ls"), Verdict("failed", None), "gone", "13")
    assert calls.found.commands() == (
        [RanCommand(command="make", exit_code=0, time="12")],
        [RanCommand(command="ls", exit_code=None, error="gone", time="13")],
    )


@table("line", ["make | tail -3", "make 2>&1 | tee log", "make || true", "make; true", "make &", "make\necho done"])
def test_a_line_that_hides_how_it_ended_has_no_exit_code(line: str) -> None:
    assert command(line, Verdict("ok", 0), "all is well") == ([RanCommand(command=line, time="1")], [])
    failed = RanCommand(command=line, error="make: *** [all] Error 2", time="1")
    assert command(line, Verdict("ok", 0), "cc -c x.c\nmake: *** [all] Error 2") == ([], [failed])


@table("line", ["make", "cd a && make", "cd a; make", "cat x | make", "set -o pipefail; make | tail"])
def test_a_line_that_hides_nothing_has_its_exit_code(line: str) -> None:
    worked = RanCommand(command=line, exit_code=0, time="1")
    assert command(line, Verdict("ok", 0), "make: *** [all] Error 2") == ([worked], [])


def test_only_the_last_commands_are_listed() -> None:
    calls = Calls()
    for number in range(30):
        calls(RunCommand(f"ok {number}"), Verdict("ok", 0))
        calls(RunCommand(f"bad {number}"), Verdict("failed", 1), "no")
    worked, failed = calls.found.commands()
    assert [each.command for each in worked] == [f"ok {number}" for number in range(20, 30)]
    assert [each.command for each in failed] == [f"bad {number}" for number in range(25, 30)]


def test_a_command_is_stored_as_it_was_written() -> None:
    line = "cat <<'EOF' | sed 's/\\t/  /g'\n  two  spaces\n\tand `ticks`\nEOF"
    assert command(line, Verdict("ok", 0))[0][0].command == line


@table(
    ("printed", "expected"),
    [
        ("", ""),
        ("Exit code 1", ""),
        ("Exit code 1\n\n\n", ""),
        ("Exit code 2\none\ntwo\nthree\nfour", "one\nthree\nfour"),
        ("Error: Exit code 3\nstep 1\nfatal: not a git repository\nbye", "fatal: not a git repository"),
        ("Exit code 1\nerror a\nb\nerror c\nerror d\nerror e", "error a\nerror c\nerror d"),
        ("Exit code 1\nerror a\nerror a\nb", "error a"),
        ("<tool_use_error>Exit code 1\nx", "x"),
        ("\x1b[31merror: red\x1b[0m", "error: red"),
    ],
)
def test_the_telling_lines_of_an_error(printed: str, expected: str) -> None:
    assert error_lines(printed) == expected
    assert len(error_lines(printed + "error " + "x" * 5_000_000)) <= 300


@table(
    ("path", "root", "expected"),
    [
        ("", "/shop", []),
        ("/shopping/a.py", "/shop", ["/shopping/a.py"]),
        ("/shop/src/a.py", "/shop", ["src/a.py"]),
        ("/shop/src/a.py", "/shop/", ["src/a.py"]),
        ("/shop/src/a.py", "", ["/shop/src/a.py"]),
        ("C:\\shop\\src\\a.py", "c:/shop", ["src\\a.py"]),
        ("/a\x1b[2J/b\nc", "/shop", ["/a/b c"]),
    ],
)
def test_paths(path: str, root: str, expected: list[str]) -> None:
    calls = Calls()
    calls.found._root = root
    calls(EditFile(path), Verdict("ok", None))
    assert calls.found.files_edited() == expected


def test_each_file_once_the_latest_last_and_not_too_many() -> None:
    calls = Calls()
    for number in [*range(300), 250]:
        calls(EditFile(f"{number}"), Verdict("ok", None))
        calls(ReadFile(f"{number}"), Verdict("ok", None))
    edited, read = calls.found.files_edited(), calls.found.tracking(ContextTracking()).files_read
    assert (len(edited), edited[-2:]) == (30, ["299", "250"])
    assert (len(read), read[-2:]) == (200, ["299", "250"])


def test_a_subagent_is_logged_with_the_beginning_of_its_prompt() -> None:
    calls = Calls()
    calls(StartAgent("Explore", "Look " * 100), Verdict("ok", None))
    calls(StartAgent("", "d"), Verdict("ok", None))
    assert [(each.agent, each.prompt) for each in calls.found.invocations] == [
        ("Explore", ("Look " * 100)[:100]),
        ("general-purpose", "d"),
    ]


# When the session may have committed.


@table(
    ("line", "expected"),
    [
        ("", False),
        ("git status", False),
        ("git log --grep commit", False),
        ("echo commit to git", False),
        ("legit commit", False),
        ("git show HEAD", False),
        ("git " + "-a b " * 200_000, False),
        ("git commit -m x", True),
        ("cd a && git add . && git commit -q -m 'x y'", True),
        ("git -C /repo -c user.name=x commit --amend", True),
        ("git --no-pager cherry-pick abc", True),
        ("git rebase --continue", True),
        ("git merge --no-ff topic", True),
        ("FOO=1 git revert HEAD", True),
        ("git pull", True),
    ],
)
def test_which_line_may_commit(line: str, expected: bool) -> None:
    calls = Calls()
    calls(RunCommand(line), Verdict("ok", 0))
    assert bool(calls.found.commit_windows(False, 0)) is expected


def test_from_when_to_when_a_call_may_have_committed(tmp_path: Path) -> None:
    """Not while it was refused; until the end of what continues in the background; and as long as a subagent runs."""
    session, path = Session(), tmp_path / "t.jsonl"

    def windows() -> Windows:
        found = look(path, session.data())
        return found.commit_windows(False, seconds(found.last_time) + 5)

    ran(session, "git commit -m x", "no", denial="user-rejected")
    ran(session, "git status")
    assert windows() == []
    ran(session, "git commit -m x")
    last = seconds(look(path, session.data()).last_time)
    [(begin, end)] = windows()
    assert 0 < begin < end == last
    ran(session, "sleep 9; git commit", "Command running in background with ID: b1", background="b1")
    agent = session.call("Agent", {"prompt": "Commit it"})
    last = seconds(look(path, session.data()).last_time)
    assert [each[1] for each in windows()] == [end, last + 5, last + 5]
    session.notify("b1")
    session.result(agent, "done")
    last = seconds(look(path, session.data()).last_time)
    assert len(windows()) == 3 and max(each[1] for each in windows()) == last


@pytest.mark.parametrize(
    ("ago", "after_commit", "expected"),
    [
        (None, False, []),
        (None, True, [(-10, 0)]),
        ((90, 80), False, [(-90, -80)]),
        ((90, 80), True, [(-90, -80), (-10, 0)]),
        ((9, 1), True, [(-9, -1)]),
        ((40, None), True, [(-40, 0)]),
        ((4000, None), False, []),
    ],
)
def test_just_after_a_commit_the_last_seconds_count(
    ago: tuple[float, float | None] | None, after_commit: bool, expected: Windows
) -> None:
    calls, now = Calls(), NOW.timestamp() - 3600
    if ago:
        began, ended = (datetime.fromtimestamp(now - (each or 0), UTC).isoformat() for each in ago)
        calls.take(Called("1", "", "", "Bash", {"command": "git commit"}), began)
        if ago[1] is not None:
            calls.take(Returned("1", Verdict("ok", 0), ""), ended)
    windows = calls.found.commit_windows(after_commit, now)
    assert [(round(begin - now), round(end - now)) for begin, end in windows] == expected


# Tasks: lists that are written anew, and tasks with ids of their own.


def shown(*calls: tuple[str, dict[object, object]]) -> list[str]:
    """The open tasks after these calls; tasks get ids from 1."""
    found = Activity(ROOT, NOW)
    number = 0
    for tool, arguments in calls:
        number += tool == "TaskCreate"
        returned = Returned("t", Verdict("ok", None), f"Task #{number} created")
        found.take(Record(Line(0), "", True, 0, [Called("t", "", "", tool, arguments), returned]))
    return found.tasks()


def todo(*pairs: tuple[str, str]) -> tuple[str, dict[object, object]]:
    return "TodoWrite", {"todos": [{"content": text, "status": status} for text, status in pairs]}


def make(text: str) -> tuple[str, dict[object, object]]:
    return "TaskCreate", {"subject": text, "description": "d"}


def change(identifier: str, status: str = "", text: str = "") -> tuple[str, dict[object, object]]:
    return "TaskUpdate", {"taskId": identifier, "status": status, "subject": text}


@table(
    ("calls", "expected"),
    [
        ([todo(("old", "pending")), todo()], []),
        ([todo(("", ""), ("", "pending"), ("x", ""))], []),
        ([todo(("old", "pending")), todo(("a", "completed"))], []),
        ([todo(("a", "pending"), ("b", "in_progress"), ("c", "completed"))], ["b (in progress)", "a"]),
        ([make("a"), todo(("b", "pending"))], ["a", "b"]),
        ([make(" one\nline ")], ["one line"]),
        ([make(f"task {number}") for number in range(50)], [f"task {number}" for number in range(10)]),
        ([change("9", "completed"), change("9", "pending"), change("9")], []),
        ([make("a"), change("", "in_progress")], ["a"]),
        ([make("a"), change("1", "deleted")], []),
        ([make("a"), change("1", "completed")], []),
        ([make("a"), change("1", "in_progress"), change("1", "pending")], ["a"]),
        ([make("a"), change("1", "in_progress"), change("1", text="b")], ["b (in progress)"]),
        ([change("9", "in_progress")], ["Task #9 (in progress)"]),
    ],
)
def test_open_tasks(calls: list[tuple[str, dict[object, object]]], expected: list[str]) -> None:
    assert shown(*calls) == expected


# What is stored of a text: no secret, no control sequences, never more than the limit.


TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@table(
    ("text", "expected"),
    [
        ("", ""),
        ("\x00\x07\x1b", ""),
        ("plain text", "plain text"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;a title\x07shown", "shown"),
        ("one\x9b2Jtwo", "one2Jtwo"),
        ("left\u202eright\u2066", "leftright"),
        ("half \ud83d of one", "half ? of one"),
        ("two\u2028lines", "two\nlines"),
        ("tag\U000e0041s", "tags"),
        (f"export GITHUB_TOKEN={TOKEN}", "export GITHUB_TOKEN=[redacted:github-token]"),
        (f"curl \x1b[1mghp_\x1b[0m{TOKEN[4:]}", "curl [redacted:github-token]"),
    ],
)
def test_storable(text: str, expected: str) -> None:
    assert storable(text, 100) == expected


def test_a_long_text_is_cut_and_says_so() -> None:
    assert storable("x" * 5_000_000, 10) == "xxxxxxxxx…"
    assert storable("x" * 10, 10) == "x" * 10
    assert storable("secret " + TOKEN, 20) == "secret [redacted:gi…"


def test_one_line() -> None:
    assert storable_line("  a\n\tb   c\n", 100) == "a b c"


@given(st.text(max_size=400), st.integers(1, 60))
def test_any_text_can_be_stored_and_is_bounded(text: str, limit: int) -> None:
    found = storable(text, limit)
    assert len(found) <= limit
    found.encode()
    assert not any(sign < " " and sign not in "\t\n" for sign in found)
