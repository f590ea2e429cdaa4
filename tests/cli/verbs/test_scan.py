"""`lessons scan`: what it reads, prints, asks and does in the background."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.builders.independent_count import count
from tests.builders.mistakes import MISTAKES, write_sessions
from tests.builders.promotable import TAG, mistake, write_mistakes
from tests.cli.command_line import COLUMNS, CommandLine, Ended, finish, widest
from tests.cli.transcripts import GARDEN, SHOP, projects, shop_session, write
from tests.cli.walking import records, screen

DOCUMENT = {
    "files": {"found", "read", "unchanged", "unreadable", "foreign"},
    "calls": {"total", "ok", "failed", "refused", "cancelled", "interrupted", "unknown"},
    "candidates": {"new", "updated"},
}
KEYS = "files agents bytes records malformed duplicates unknownTypes calls segments leftOut candidates seconds".split()
HOLD = """
import sys
from lessons.store.running import scanning
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


def test_a_damaged_file_of_lessons_stops_no_scan_and_is_no_damage_of_the_history(lessons: CommandLine) -> None:
    write(lessons)
    lessons.ok("scan")
    (lessons.home / "lessons.json").write_text('{"lessons": [', encoding="utf-8")
    write(lessons, "later")
    ended = lessons("scan", "--json")
    assert (ended.code, json.loads(ended.out)["files"]["read"]) == (0, 1)
    assert ended.error.startswith(f"warning: {lessons.home}/lessons.json is not valid JSON at line 1")
    assert not [name for name in os.listdir(lessons.home) if "damaged" in name]


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


def test_the_setting_scan_paths(lessons: CommandLine) -> None:
    write(lessons)
    shop_session("own", GARDEN).write(lessons.work / "own")
    lessons.ok("config", "set", "scanPaths", json.dumps([str(lessons.work / "own")]))
    lessons.ok("scan")
    assert projects_of_calls(lessons) == [GARDEN]
    assert lessons.json("scan", LESSONS_SCAN_PATHS="~/.claude/projects")["files"]["read"] == 1


@pytest.mark.parametrize("pattern", [SHOP, "*/shop"])
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


def without_seconds(document: dict[str, Any]) -> dict[str, object]:
    document["candidates"].pop("found", None)
    return {key: value for key, value in document.items() if key != "seconds"}


def test_a_dry_run_names_the_candidates_it_found(lessons: CommandLine) -> None:
    write_sessions(projects(lessons), 2, MISTAKES[:2])
    first, *named = lessons("scan", "--dry-run").out.splitlines()[3:]
    assert first == "2 new candidates, 2 in several sessions:"
    assert len(named) == 2 and "gh pr diff" in " ".join(named) and "timeout" in " ".join(named)
    rehearsed = lessons.json("scan", "--dry-run")["candidates"]["found"]
    assert contents(lessons.home) == {}
    lessons.ok("scan")
    found = lessons.json("candidates", "--all")["candidates"]
    assert rehearsed == [{name: each[name] for name in ("fingerprint", "kind", "summary")} for each in found]
    assert lessons.json("scan", "--dry-run")["candidates"]["found"] == []


def test_a_file_of_another_agent(lessons: CommandLine) -> None:
    folder = write(lessons).parent
    (folder / "foreign.jsonl").write_text('{"timestamp":"T","type":"session_meta","payload":{"id":"1"}}\n' * 3)
    assert lessons.ok("scan").splitlines()[0] == "2 files: 1 read, 0 unchanged, 1 of other agents."
    assert lessons.json("scan")["files"] == {"found": 2, "read": 0, "unchanged": 1, "unreadable": 0, "foreign": 1}


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
    assert ended.error.startswith("Another scan is running: ")
    assert as_document.code == 0
    assert json.loads(as_document.out)["busy"] is True
    assert json.loads(rehearsed.out)["calls"]["total"] == 3
    assert lessons.ok("scan").startswith("1 file: 1 read")


SILENT = Ended(0, "", "")
Accident = Callable[[CommandLine], None]


def log(lessons: CommandLine) -> list[str]:
    file = lessons.home / "scan.log"
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def calls(lessons: CommandLine) -> int:
    return int(str(stored(lessons, "SELECT count(*) FROM calls")[0][0]))


def last_scan(lessons: CommandLine, ago: timedelta) -> None:
    then = (datetime.now(UTC) - ago).timestamp()
    os.utime(lessons.home / "scan-state.json", (then, then))


def test_it_comes_when_it_is_due(lessons: CommandLine) -> None:
    write(lessons)
    assert lessons("scan", "--auto") == SILENT
    assert calls(lessons) == 3
    [line] = log(lessons)
    time, _, words = line.partition(" ")
    assert datetime.fromisoformat(time).tzinfo is not None
    assert words.startswith("1 file: 1 read, 0 unchanged. 8 records in ")

    # Not again within the hours of the setting.
    write(lessons, "two")
    for hours in (0, 23):
        last_scan(lessons, timedelta(hours=hours))
        assert lessons("scan", "--auto") == SILENT
    assert (calls(lessons), len(log(lessons))) == (3, 1)

    last_scan(lessons, timedelta(hours=25))
    assert lessons("scan", "--auto") == SILENT
    assert (calls(lessons), len(log(lessons))) == (6, 2)


def damaged_config(lessons: CommandLine) -> None:
    (lessons.home / "config.json").write_text("{")


def no_database(lessons: CommandLine) -> None:
    (lessons.home / "history.db").write_bytes(b"this is no database " * 500)


def nobody_may_write(lessons: CommandLine) -> None:
    lessons.home.chmod(0o500)


def file_in_place_of_the_home(lessons: CommandLine) -> None:
    lessons.home.rmdir()
    lessons.home.write_text("not a folder")


# What the log tells, where there can be one.
ACCIDENTS: dict[Accident, str] = {
    damaged_config: "config.json",
    no_database: "history",
    nobody_may_write: "",
    file_in_place_of_the_home: "",
}


@pytest.mark.parametrize("accident", ACCIDENTS, ids=lambda accident: accident.__name__)
def test_it_never_fails(lessons: CommandLine, accident: Accident) -> None:
    write(lessons)
    accident(lessons)
    assert lessons.as_anyone("scan", "--auto", LESSONS_AUTO_SCAN_INTERVAL_HOURS="0") == SILENT
    lessons.home.chmod(0o700)
    if ACCIDENTS[accident]:
        written = "\n".join(log(lessons))
        assert ACCIDENTS[accident] in written
        assert "Traceback" not in written


@pytest.fixture
def tagged(lessons: CommandLine) -> CommandLine:
    write_mistakes(projects(lessons), tag=TAG)
    return lessons


@pytest.mark.parametrize("arguments", [["--auto"], ["--json"], []])
def test_nobody_watches(tagged: CommandLine, arguments: list[str]) -> None:
    assert tagged("scan", *arguments, LESSONS_AUTO_PROMOTE="1").code == 0
    assert records(tagged) == []
    assert not Path(tagged.home, "decisions.jsonl").exists()


def test_what_would_not_pass_is_not_asked_about(lessons: CommandLine) -> None:
    write(lessons)
    lines = lessons.screen("scan", LESSONS_AUTO_PROMOTE="1")
    assert "1 new tag is not a lesson yet: `lessons candidates --tier 1 --all` lists them." in lines
    assert records(lessons) == []


def test_a_tag_that_repeats_a_lesson_with_another_spelling_is_not_asked_about(tagged: CommandLine) -> None:
    words = {
        "summary": "Hot lamps lose their glass when polished",
        "problem": "`lamp polish` wears the glass away, when the lamp is still hot!",
        "solution": "Let the lamp cool down first — then use `lamp polish --soft`.",
    }
    tagged.json("add", "--from", "-", text=json.dumps({**words, "triggers": {"commandPatterns": ["lamp polish"]}}))
    lines = tagged.screen("scan")
    assert "1 new tag is not a lesson yet: `lessons candidates --tier 1 --all` lists them." in lines
    assert len(records(tagged)) == 1


def test_a_new_tag_is_shown_as_in_a_review(tagged: CommandLine) -> None:
    terminal = tagged.terminal("scan")
    shown = screen(terminal)
    words = " ".join(" ".join(shown).split())
    assert "by the agent in session" in words and "something it read may have prompted it" in words
    assert "would not have fired on any call" in words
    assert widest(shown) <= COLUMNS
    terminal.send("p")
    assert finish(terminal)[0] == 0
    (record,) = records(tagged)
    assert record["triggers"]["commandPatterns"] == [r"lamp polish\b"]
    assert record["tags"] == ["tool:lamp", "severity:data-loss"]
    assert "1 of 1" not in "".join(tagged.screen("scan", "--full"))


@pytest.mark.parametrize(("keys", "waiting"), [(("r", "\r"), 1), (("k",), 2), (("q",), 2)])
def test_a_tag_that_is_rejected_or_left_for_later(tagged: CommandLine, keys: tuple[str, ...], waiting: int) -> None:
    terminal = tagged.terminal("scan")
    screen(terminal)
    terminal.send(keys[0])
    for key in keys[1:]:
        terminal.expect("reason")
        terminal.send(key)
    assert finish(terminal)[0] == 0
    assert records(tagged) == []
    assert len(tagged.json("candidates", "--all")["candidates"]) == waiting
    assert tagged.json("scan", "--full")["candidates"]["new"] == 0
    assert len(tagged.json("candidates", "--all")["candidates"]) == waiting


def test_without_being_asked_where_the_setting_says_so(tagged: CommandLine) -> None:
    mistake("another", 50, tag=TAG.replace("lamp", "oven").replace("glass", "door").replace("cool", "rest")).write(
        projects(tagged)
    )
    lines = tagged.screen("scan", LESSONS_AUTO_PROMOTE="true")
    text = " ".join(" ".join(lines).split())
    assert "[p]romote" not in text
    assert text.count("to shadow: matches are logged, nothing is shown.") == len(records(tagged)) > 0
    assert all(each["stage"] == "shadow" for each in records(tagged)), "nobody has read them yet"
    assert text.count("Written by the agent in session") == len(records(tagged))
