"""`lessons scan`: what it reads, what it tells, and what it says about input that it cannot use."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders.independent_count import count
from tests.cli.command_line import LESSONS, CommandLine
from tests.cli.transcripts import GARDEN, SHOP, projects, shop_session, write

DOCUMENT = {
    "files": {"found", "read", "unchanged", "unreadable", "foreign"},
    "calls": {"total", "ok", "failed", "refused", "cancelled", "interrupted", "unknown"},
    "candidates": {"new", "updated"},
}
KEYS = "files agents bytes records malformed duplicates unknownTypes calls segments leftOut candidates seconds".split()
HOLD = """
import sys
from lessons.store.scan_lock import scanning
with scanning(sys.argv[1]):
    print("held", flush=True)
    input()
"""


def stored(lessons: CommandLine, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(lessons.home / "history.db")) as connection:
        return connection.execute(query).fetchall()


def projects_of_calls(lessons: CommandLine) -> list[object]:
    return [row[0] for row in stored(lessons, "SELECT DISTINCT project FROM calls ORDER BY project")]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# What must not happen.


def test_nothing_to_read(lessons: CommandLine) -> None:
    ended = lessons("scan")
    assert (ended.code, ended.out.splitlines()[0]) == (0, "0 files: 0 read, 0 unchanged.")
    assert ended.error == "No transcripts found. Give their folder with --path, or in the setting scanPaths.\n"


def test_a_path_that_is_no_folder(lessons: CommandLine) -> None:
    file = write(lessons)
    words = "give a folder with transcripts.\n"
    assert lessons.refused("scan", "--path", str(file)) == f"{file} is not a folder: {words}"
    missing = lessons.work / "missing"
    assert lessons.refused("scan", "--path", "missing") == f"{missing} does not exist: {words}"
    assert lessons.refused("scan", "--path", str(projects(lessons)), "--path", "missing").startswith(str(missing))
    assert not (lessons.home / "history.db").exists()


def test_an_unknown_agent(lessons: CommandLine) -> None:
    said = lessons.refused("scan", "--agent", "hal")
    assert said.startswith("There is no agent 'hal' whose transcripts can be read: use one of claude-code, codex, ")


def test_damaged_settings(lessons: CommandLine) -> None:
    (lessons.home / "config.json").write_text('{"scanPaths": 7}')
    assert "scanPaths" in lessons.refused("scan")


def test_a_history_that_cannot_be_used(lessons: CommandLine) -> None:
    write(lessons)
    history = lessons.home / "history.db"
    history.mkdir()
    sentence = f"{history} cannot be used (unable to open database file). Fix that and try again.\n"
    assert lessons.refused("scan") == sentence


def test_files_that_cannot_be_read_do_not_hinder_the_others(lessons: CommandLine) -> None:
    healthy = write(lessons)
    (healthy.parent / "loop.jsonl").symlink_to("loop.jsonl")
    (healthy.parent / "gone.jsonl").symlink_to("nowhere.jsonl")
    (healthy.parent / "folder.jsonl").symlink_to(healthy.parent)
    (healthy.parent / "circle").symlink_to(healthy.parent)
    (healthy.parent / "a folder.jsonl").mkdir()
    ended = lessons("scan")
    assert ended.code == 1
    assert ended.out.splitlines()[0] == "3 files: 1 read, 0 unchanged, 2 unreadable."
    warnings = sorted(ended.error.splitlines())
    assert [warning.partition(" could not be read (")[0] for warning in warnings] == [
        f"warning: {healthy.parent / name}.jsonl" for name in ("gone", "loop")
    ]
    assert stored(lessons, "SELECT count(*) FROM calls") == [(3,)]
    assert lessons("scan").code == 1


def test_a_socket_is_no_transcript(lessons: CommandLine) -> None:
    folder = write(lessons).parent
    with closing(socket.socket(socket.AF_UNIX)) as server:
        before = os.getcwd()
        os.chdir(folder)  # the name of a socket may not be long
        server.bind("x.jsonl")
        os.chdir(before)
        ended = lessons("scan")
    assert "Traceback" not in ended.error
    assert stored(lessons, "SELECT count(*) FROM calls") == [(3,)]


def test_a_pipe_is_not_waited_for(lessons: CommandLine) -> None:
    os.mkfifo(write(lessons).parent / "x.jsonl")
    command, surroundings = [LESSONS, "scan"], lessons.environment()
    ended = subprocess.run(command, env=surroundings, stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
    assert b"Traceback" not in ended.stderr
    assert stored(lessons, "SELECT count(*) FROM calls") == [(3,)]


def test_a_name_that_is_no_text(lessons: CommandLine) -> None:
    """Linux lets a file be named by any bytes."""
    folder = write(lessons).parent
    os.rename(write(lessons, "two"), os.fsencode(folder) + b"/\xff\xfe.jsonl")
    ended = lessons("scan")
    assert ended.code in (0, 1)
    assert "Traceback" not in ended.error
    assert stored(lessons, "SELECT count(*) >= 3 FROM calls") == [(1,)]


# What it reads.


def test_the_account(lessons: CommandLine) -> None:
    file = write(lessons)
    first = lessons.ok("scan").splitlines()
    size = file.stat().st_size
    assert first[:2] == ["1 file: 1 read, 0 unchanged.", f"8 records in {size / 1000:.1f} KB."]
    assert first[2].startswith("3 tool calls, 1 ok, 1 failed, 1 refused. ")
    assert first[3:] == ["1 new candidate: `lessons candidates --all` shows it."]
    second = lessons.ok("scan").splitlines()
    assert second == ["1 file: 0 read, 1 unchanged: nothing new."]


def test_strange_lines_are_in_the_account(lessons: CommandLine) -> None:
    file = write(lessons)
    lines = file.read_bytes()
    file.write_bytes(lines + lines + b'{"type":"moon-phase","sessionId":"s"}\nnot json\n')
    assert ", 1 malformed, 8 duplicates; unknown types: moon-phase 1." in lessons.ok("scan")


def test_the_document(lessons: CommandLine) -> None:
    write(lessons)
    found = lessons.json("scan")
    assert list(found) == KEYS
    assert {key: set(found[key]) for key in DOCUMENT} == DOCUMENT
    counted = count(projects(lessons))
    assert (found["calls"]["total"], found["calls"]["failed"]) == (counted.calls, counted.failed)
    assert found["records"] == counted.records
    assert found["candidates"] == {"new": 1, "updated": 0}
    write(lessons, "two")
    assert lessons.json("scan")["candidates"] == {"new": 0, "updated": 1}


def test_every_place_of_the_agent(lessons: CommandLine) -> None:
    write(lessons)
    shop_session("xdg", f"{SHOP}/xdg").write(lessons.person / ".config" / "claude" / "projects")
    shop_session("chosen", f"{SHOP}/chosen").write(lessons.work / "chosen" / "projects")
    assert lessons.json("scan", CLAUDE_CONFIG_DIR=str(lessons.work / "chosen"))["files"]["read"] == 3
    assert lessons.json("scan")["files"]["unchanged"] == 2


def test_the_setting_scan_paths(lessons: CommandLine) -> None:
    write(lessons)
    shop_session("own", GARDEN).write(lessons.work / "own")
    lessons.ok("config", "set", "scanPaths", json.dumps([str(lessons.work / "own")]))
    lessons.ok("scan")
    assert projects_of_calls(lessons) == [GARDEN]
    assert lessons.json("scan", LESSONS_SCAN_PATHS="~/.claude/projects")["files"]["read"] == 1


def test_overlapping_folders_are_read_once(lessons: CommandLine) -> None:
    folder = write(lessons).parent
    found = lessons.json("scan", "--path", str(folder), "--path", str(folder.parent), "--path", f"{folder}/../")
    assert found["files"]["found"] == 1


@pytest.mark.parametrize("pattern", [SHOP, SHOP + "/", "/home/*/shop", "*/shop", "/home/somebody/sh?p"])
def test_excluded_projects(lessons: CommandLine, pattern: str) -> None:
    write(lessons)
    write(lessons, "inside", f"{SHOP}/till")
    write(lessons, "beside", f"{SHOP}-next-door")
    write(lessons, "garden", GARDEN)
    lessons.ok("config", "set", "excludeProjects", json.dumps([pattern]))
    lessons.ok("scan")
    assert projects_of_calls(lessons) == [GARDEN, f"{SHOP}-next-door"]
    assert stored(lessons, "SELECT DISTINCT project FROM sessions ORDER BY project") == [
        (GARDEN,),
        (f"{SHOP}-next-door",),
    ]


def test_excluded_by_the_environment(lessons: CommandLine) -> None:
    write(lessons)
    write(lessons, "garden", GARDEN)
    lessons.ok("scan", LESSONS_EXCLUDE_PROJECTS=f"{SHOP}:/nowhere")
    assert projects_of_calls(lessons) == [GARDEN]


def test_a_dry_run_changes_nothing(lessons: CommandLine) -> None:
    write(lessons)
    rehearsed = lessons.json("scan", "--dry-run")
    assert contents(lessons.home) == {}
    assert lessons("scan", "--dry-run").error == "Nothing was stored: this was a dry run.\n"
    found = lessons.json("scan")
    assert without_seconds(rehearsed) == without_seconds(found)
    write(lessons, "two")
    rehearsed = lessons.json("scan", "--dry-run")
    assert stored(lessons, "SELECT count(*) FROM calls") == [(3,)]
    assert without_seconds(rehearsed) == without_seconds(lessons.json("scan"))


def test_a_dry_run_beside_a_history_changes_no_byte(lessons: CommandLine) -> None:
    write(lessons)
    lessons.ok("scan")
    write(lessons, "two")
    before = contents(lessons.home)
    lessons("scan", "--dry-run")
    assert contents(lessons.home) == before


def without_seconds(document: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in document.items() if key != "seconds"}


def test_a_file_of_another_agent(lessons: CommandLine) -> None:
    folder = write(lessons).parent
    (folder / "foreign.jsonl").write_text('{"timestamp":"T","type":"session_meta","payload":{"id":"1"}}\n' * 3)
    assert lessons.ok("scan").splitlines()[0] == "2 files: 1 read, 0 unchanged, 1 of other agents."
    assert lessons.json("scan")["files"] == {"found": 2, "read": 0, "unchanged": 1, "unreadable": 0, "foreign": 1}


def test_a_transcript_that_is_gone_keeps_its_calls(lessons: CommandLine) -> None:
    file = write(lessons)
    lessons.ok("scan")
    file.unlink()
    lessons("scan")
    lessons("scan", "--full")
    assert stored(lessons, "SELECT count(*) FROM calls") == [(3,)]
    assert stored(lessons, "SELECT count(*) FROM candidates") == [(1,)]


def test_a_second_scan_has_nothing_to_do(lessons: CommandLine) -> None:
    write(lessons)
    command = [sys.executable, "-c", HOLD, str(lessons.home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        ended = lessons("scan")
        as_document = lessons("scan", "--json")
        rehearsed = lessons("scan", "--dry-run", "--json")
        holder.communicate("\n")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error.startswith(f"Another scan is running (process {holder.pid}, since ")
    assert as_document.code == 0
    assert json.loads(as_document.out)["busy"] is True
    assert json.loads(rehearsed.out)["calls"]["total"] == 3
    assert lessons.ok("scan").startswith("1 file: 1 read")
