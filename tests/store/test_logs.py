"""The fault log: one line each, nothing of a payload in it, and never a fault of its own."""

import json
import re
import threading
from pathlib import Path

from lessons.match.call import ToolCall
from lessons.store import injection_files, logs
from lessons.store.manifest import PublishedLesson, compile_source
from tests.tables import table


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


@table("error", [ValueError("rm -rf secret"), KeyError("secret"), OSError(28, "secret", "/secret")])
def test_the_message_of_a_fault_is_left_out(error: Exception) -> None:
    described = logs.describe_fault(raised(error))
    assert "secret" not in described
    assert re.fullmatch(r"\w+( \d+)? at test_logs\.py:\d+", described)


def test_a_fault_is_described_by_kind_number_and_place() -> None:
    assert logs.describe_fault(raised(OSError(28, "full"))).startswith("OSError 28 at test_logs.py:")
    assert logs.describe_fault(RuntimeError()) == "RuntimeError at ?"


@table("what", ["two\nlines\r\nand more", "x" * 10_000, "\ud800", "\0", ""])
def test_each_fault_is_one_bounded_line(tmp_path: Path, what: str) -> None:
    logs.record_fault(str(tmp_path), "PreToolUse", what)
    logs.record_fault(str(tmp_path), "SessionStart", "second")
    lines = logs.read_faults(str(tmp_path))
    assert len(lines) == 2
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ PreToolUse ", lines[0] + " ")
    assert len(lines[0]) < 500
    assert lines[1].endswith("Z SessionStart second")
    assert (tmp_path / "faults.log").stat().st_mode & 0o777 == 0o600


def test_a_large_log_makes_room(tmp_path: Path) -> None:
    (tmp_path / "faults.log").write_text("old\n" * 100_000)
    logs.record_fault(str(tmp_path), "PreToolUse", "new")
    assert len(logs.read_faults(str(tmp_path))) == 1
    assert (tmp_path / "faults.log.1").read_text().startswith("old\n")


def published(slug: str = "slug-a1b2") -> PublishedLesson:
    return PublishedLesson("01ID", {"slug": slug, "priority": 5}, compile_source)


def record(home: str, call: ToolCall, lesson: PublishedLesson, decision: str = "hint", why: str = "toolNames") -> None:
    logs.record_injections(home, "PreToolUse", call, [(lesson, decision, why)])


def read(home: str) -> list[dict[str, object]]:
    return [line.event for line in injection_files.unfolded(home)]


def call(command: str = "curl -H 'token: s3cret'", **more: str) -> ToolCall:
    given = {"agent": "claude-code", "session": "s", "tool_use_id": "t1", "cwd": "/shop", **more}
    return ToolCall("run_shell_command", {"command": command}, **given)


def test_no_text_of_the_call_is_written(tmp_path: Path) -> None:
    record(str(tmp_path), call(error="failed: s3cret"), published())
    assert "s3cret" not in (tmp_path / "injections.jsonl").read_text()


def test_where_it_cannot_be_written_nothing_is_raised(tmp_path: Path) -> None:
    (tmp_path / "injections.jsonl").mkdir()
    record(str(tmp_path), call(), published())
    record(str(tmp_path / "nowhere"), call(), published())
    assert "PreToolUse injections.jsonl: IsADirectoryError" in logs.read_faults(str(tmp_path))[0]
    assert read(str(tmp_path)) == []
    assert read(str(tmp_path / "nowhere")) == []


def test_one_line_tells_everything(tmp_path: Path) -> None:
    home = str(tmp_path)
    record(home, call(agent_id="a1", model="opus"), published(), why="commandPatterns[0]")
    record(home, call(), published("b"), "block")
    first, second = (json.loads(line) for line in (tmp_path / "injections.jsonl").read_text().splitlines())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first.pop("time"))
    assert first == {
        "event": "PreToolUse", "agent": "claude-code", "session": "s", "agentId": "a1", "toolUseId": "t1",
        "tool": "run_shell_command", "cwd": "/shop", "model": "opus", "lesson": "01ID", "slug": "slug-a1b2",
        "decision": "hint", "why": "commandPatterns[0]",
    }  # fmt: skip
    assert (second["agentId"], second["model"], second["decision"]) == (None, None, "block")
    assert read(home)[1] == second
    assert (tmp_path / "injections.jsonl").stat().st_mode & 0o777 == 0o600


@table("session", ["a\nb", '"', "\ud800", "日本", "\0", "x" * 10_000])
def test_strange_ids_stay_on_one_line(tmp_path: Path, session: str) -> None:
    record(str(tmp_path), call(session=session), published())
    assert len((tmp_path / "injections.jsonl").read_bytes().splitlines()) == 1
    assert read(str(tmp_path))[0]["session"] == session[:500]


def test_damaged_lines_are_passed_over(tmp_path: Path) -> None:
    record(str(tmp_path), call(), published())
    with (tmp_path / "injections.jsonl").open("ab") as file:
        file.write(b'\n[1]\n\xff\n{"slug": "cut o')
    assert [line["slug"] for line in read(str(tmp_path))] == ["slug-a1b2"]


def test_parallel_writers_keep_lines_whole(tmp_path: Path) -> None:
    def write(number: int) -> None:
        for _ in range(50):
            record(str(tmp_path), call(session=str(number) * 300), published())

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read(str(tmp_path))) == 200
