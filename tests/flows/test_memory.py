"""A story of memory, through the installed commands: fail, fix, scan, be reminded, mute, make a lesson, forget."""

import json
from pathlib import Path

import pytest

from lessons.mcp.tools import Caller, search_history
from tests.builders import payloads
from tests.builders.home import DataHome
from tests.builders.payloads import FOLDER
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine

LINE, ERROR = "lamp light --lux 4", "Exit code 1\nerror: unknown option --lux"


def told(name: str) -> Session:
    """A session in which an option failed, and the call without it worked."""
    session = Session(name, cwd=FOLDER)
    session.result(session.call("Bash", {"command": LINE}), ERROR, error=True)
    session.say("The option is gone since version 2, so I leave it out.")
    session.result(session.call("Bash", {"command": "lamp light 4"}), "lit")
    return session


@pytest.fixture
def home(lessons: CommandLine, tmp_path: Path) -> DataHome:
    for name in ("one day", "another day"):
        told(name).write(tmp_path / "projects")
    lessons.ok("scan", "--path", str(tmp_path / "projects"))
    made = DataHome(tmp_path / "hook")
    made.path = str(lessons.home)
    made.folder = Path(lessons.home)
    return made


def said(home: DataHome, payload: payloads.Payload) -> str:
    code, answer = home.run(payload)
    assert code == 0
    return answer["hookSpecificOutput"]["additionalContext"] if answer else ""


def session_of(number: int) -> str:
    return f"0d1e2f3a-4b5c-4d6e-8f70-{number:012d}"


def test_silent_elsewhere(home: DataHome) -> None:
    for line in ("lamp light 4", "ls", "git status"):
        assert said(home, payloads.bash(line)) == "", line
    assert said(home, payloads.failure(payloads.bash("ls x"), "Exit code 2\nls: cannot access 'x'")) == ""


def test_at_the_call_once_a_session(home: DataHome) -> None:
    text = said(home, payloads.bash("lamp light --lux 9"))
    assert "failed 2 of 2 times in this project" in text
    assert "This worked then: “lamp light 4”." in text
    assert len(text.encode()) <= 500
    assert said(home, payloads.bash("lamp light --lux 10")) == ""
    assert said(home, payloads.bash("lamp light --lux 10", session=session_of(2))) != ""
    first = home.log()[0]
    assert (first["source"], first["decision"], len(first["toolUseIds"])) == ("memory", "hint", 2)
    assert "slug" not in first


def test_at_the_error(home: DataHome) -> None:
    text = said(home, payloads.failure(payloads.bash("sh lights.sh"), ERROR))
    assert "this error occurred 2 times before in this project" in text
    assert "“The option is gone since version 2" in text


def test_a_person_sees_why_and_silences_it(home: DataHome, lessons: CommandLine) -> None:
    shown = lessons.json("try", "lamp light --lux 9", "--cwd", FOLDER)
    assert shown["decision"] == "hint" and shown["memory"]["why"].endswith("--lux")
    name = shown["memory"]["name"]
    lessons.ok("mute", "--memory", name)
    assert said(home, payloads.bash("lamp light --lux 9")) == ""
    lessons.ok("mute", "--memory", name, "--off")
    assert said(home, payloads.bash("lamp light --lux 9")) != ""
    record = lessons.json("add", "--from-memory", name)
    assert "lamp light 4" in record["solution"] and record["occurrenceCount"] == 2
    # From now on the lesson answers the call and the error, and memory is silent there.
    for payload in (
        payloads.bash("lamp light --lux 5", session=session_of(3)),
        payloads.failure(payloads.bash("sh lights.sh", session=session_of(4)), ERROR),
    ):
        text = said(home, payload)
        assert "Remembered by" not in text and "lamp light 4" in text
    assert lessons.json("candidates", "--all")["candidates"] == []
    assert f"is the lesson {record['slug']} already" in lessons.refused("add", "--from-memory", name)


def test_what_an_agent_makes_of_a_memory_is_its_own_hint(home: DataHome, lessons: CommandLine) -> None:
    name = lessons.json("try", "lamp light --lux 9", "--cwd", FOLDER)["memory"]["name"]
    waiting = lessons.json("candidates", "--all")["candidates"]
    (lessons.work / ".git").mkdir()
    ended = lessons("add", "--from-memory", name, "--json", CLAUDECODE="1")
    record = json.loads(ended.out)
    assert (record["writtenBy"], record["scope"]["path"], record["needsReview"]) == (
        "Claude Code", str(lessons.work), False,
    )  # fmt: skip
    assert lessons.json("candidates", "--all")["candidates"] == waiting


def test_the_log_says_what_was_recalled_and_why(home: DataHome, lessons: CommandLine) -> None:
    said(home, payloads.bash("lamp light --lux 9"))
    said(home, payloads.failure(payloads.bash("sh lights.sh", session=session_of(2)), ERROR))
    [first, second] = lessons.json("log")["events"]
    assert first["reason"] == f"like `{LINE}`: `lamp light --lux` (option)"
    assert second["reason"] == f"the error is like `{LINE}`"
    assert len(lessons.json("log", "--lesson", first["memory"][:12])["events"]) == 2
    assert "no such event" in lessons("log", "--lesson", "memory-0000").error


def test_what_forced_its_way_is_told_nowhere(lessons: CommandLine, tmp_path: Path) -> None:
    for name in ("one day", "another day"):
        session = Session(name, cwd=FOLDER)
        error = "Exit code 1\n! [rejected] main -> main (fetch first)\nerror: failed to push some refs"
        session.result(session.call("Bash", {"command": "git push origin main"}), error, error=True)
        session.say("The remote has other commits, so mine replace them.")
        session.result(session.call("Bash", {"command": "git push origin main --force-with-lease"}), "done")
        session.write(tmp_path / "projects")
    lessons.ok("scan", "--path", str(tmp_path / "projects"))
    # What it shares with the failure is not to blame.
    assert lessons.json("try", "git push origin main --force-with-lease", "--cwd", FOLDER)["decision"] == "none"
    told = [lessons.ok("candidates", "--all", "--json"), lessons.ok("candidates", "1")]
    told.append(str(lessons.json("promote", "1", "--yes")))
    told.append(search_history(Caller(str(lessons.home), FOLDER, ""), "rejected", everywhere=True))
    told += [path.read_text("utf-8", "replace") for path in Path(lessons.home).rglob("*") if _is_told(path)]
    assert sum("push" in text for text in told) > 5
    for text in told:
        assert "force-with-lease" not in text and "mine replace them" not in text


def _is_told(path: Path) -> bool:
    """Whether it is written for agents or people; the history and what a lesson was compiled to is not."""
    return path.is_file() and not path.name.startswith("history.db")


def test_stats_count_what_came_of_recalls(home: DataHome, lessons: CommandLine, tmp_path: Path) -> None:
    assert lessons.json("stats")["memory"]["shown"] == 0
    for number, after in enumerate(("lamp light 9", "lamp light --lux 8")):
        session = Session(f"later {number}", cwd=FOLDER)
        call = session.call("Bash", {"command": "lamp light --lux 9"})
        assert said(home, {**payloads.bash("lamp light --lux 9", session=session.id), "tool_use_id": call})
        session.result(call, ERROR, error=True)
        call = session.call("Bash", {"command": after})
        session.result(call, ERROR if "--lux" in after else "lit", error="--lux" in after)
        session.write(tmp_path / "projects")
    lessons.ok("scan", "--path", str(tmp_path / "projects"))
    found = lessons.json("stats")
    expected = {"opportunities": 2, "shown": 2, "heeded": 1, "ignoredFailed": 1, "falseAlarms": 0, "unknown": 0}
    for counts in (found["memory"], found["totals"]):
        assert {name: counts[name] for name in expected} == expected
    assert found["lessons"] == []
    assert [line.split()[:3] for line in lessons.ok("stats").splitlines()][-1] == ["(memory)", "2", "1"]


def test_nothing_is_recalled_of_what_was_forgotten(home: DataHome, lessons: CommandLine) -> None:
    lessons.ok("forget", "--project", FOLDER, "--yes")
    assert said(home, payloads.bash(LINE)) == ""
    assert b"lamp" not in b"".join(path.read_bytes() for path in home.folder.glob("memory-index"))


def test_nothing_is_recalled_of_what_was_excluded_since(home: DataHome, lessons: CommandLine, tmp_path: Path) -> None:
    elsewhere = {**payloads.failure(payloads.bash("sh lights.sh"), ERROR), "cwd": "/srv/other"}
    assert "in another project" in said(home, {**elsewhere, "session_id": session_of(1)})
    lessons.ok("config", "set", "excludeProjects", FOLDER)
    assert said(home, {**elsewhere, "session_id": session_of(2)}) == ""
    lessons.ok("scan", "--path", str(tmp_path / "projects"))
    assert said(home, {**elsewhere, "session_id": session_of(3)}) == ""
    assert b"lamp" not in (home.folder / "memory-index").read_bytes()
    lessons.ok("config", "unset", "excludeProjects")
    lessons.ok("scan", "--path", str(tmp_path / "projects"))
    assert said(home, {**elsewhere, "session_id": session_of(4)}) != ""


def test_a_damaged_index_is_silent_and_made_again(home: DataHome, lessons: CommandLine, tmp_path: Path) -> None:
    (home.folder / "memory-index").write_bytes(b"lessons memory 1" + b"\0" * 400)
    assert said(home, payloads.bash(LINE)) == ""
    told("a third day").write(tmp_path / "projects")
    lessons.ok("scan", "--path", str(tmp_path / "projects"))
    assert said(home, payloads.bash(LINE)) != ""
