"""`lessons history`: the size of the history, and what compacting makes of it."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders.days import Did, on_day
from tests.cli.command_line import LESSONS, CommandLine
from tests.hook.test_no_space import NAMESPACE, why_not_mountable

EDIT = Did(tool="Edit", arguments={"file_path": "/home/dev/a.py", "new_string": "total = 1\n" * 400})
# So short that a page holds several: without their descriptions no page becomes free, all of them become emptier.
LISTED = Did(arguments={"command": "ls -la", "description": "List the files of this folder, also hidden ones. " * 12})


def vacuumed(file: Path, copy: Path) -> int:
    """The size that SQLite itself can bring this file to."""
    shutil.copy(file, copy)
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return copy.stat().st_size


def test_without_a_history(lessons: CommandLine) -> None:
    for arguments in ([], ["compact"], ["compact", "--dry-run"]):
        assert lessons.refused("history", *arguments) == "No history yet. Run `lessons scan` first.\n"
    assert "not in the range" in lessons("history", "compact", "--days", "0").error


def test_old_calls_are_compacted(lessons: CommandLine, tmp_path: Path) -> None:
    on_day(0, *[EDIT] * 200).write(tmp_path / "root")
    lessons.ok("scan", "--path", str(tmp_path / "root"))
    before = lessons.json("history")
    assert (before["calls"], before["historyDays"], before["compactedAt"]) == (200, 0, "")
    assert "200 calls. Nothing was changed." in lessons.ok("history", "compact", "--days", "1", "--dry-run")
    assert lessons.json("history") == before
    done = lessons.json("history", "compact", "--days", "1")
    assert (done["calls"], done["bytesBefore"] > 2 * done["bytesAfter"]) == (200, True)
    after = lessons.json("history")
    assert (after["calls"], after["bytes"]) == (200, done["bytesAfter"])
    assert lessons.ok("history", "compact", "--days", "1").startswith("Nothing to compact")
    assert after["argumentsSince"] > before["last"]
    assert f"everything since {after['argumentsSince'][:10]}; of older successful calls" in lessons.ok("history")
    lessons.ok("config", "set", "historyDays", "30")
    assert "arguments of successful calls for 30 days" in lessons.ok("history")


def test_the_disk_has_no_room_for_a_copy(lessons: CommandLine, tmp_path: Path) -> None:
    if reason := why_not_mountable(lessons.work):
        pytest.skip(f"NOT TESTED: this system does not let us mount a tmpfs ({reason})")
    on_day(0, *[LISTED] * 1000).write(tmp_path / "root")
    lessons.ok("scan", "--path", str(tmp_path / "root"))
    before = os.path.getsize(lessons.home / "history.db")
    small, aside = tmp_path / "small", tmp_path / "aside"
    small.mkdir()
    fill = f"mount -t tmpfs -o size={2 * before} tmpfs {small} && cp -a {lessons.home}/. {small}"
    script = f'{fill} && "$@"; code=$?; cp {small}/history.db {aside}; exit $code'
    line = [*NAMESPACE, "sh", "-c", script, "sh", LESSONS, "history", "compact", "--days", "1"]
    done = lessons.run(line, LESSONS_HOME=str(small))
    assert done.code == 0 and done.out.startswith("Compacted 1,000 calls.\n"), done
    assert "history.db keeps its size: rewriting it needs" in done.error and "Free some and run" in done.error
    shutil.copy(aside, lessons.home / "history.db")
    before = os.path.getsize(lessons.home / "history.db")
    # The next run has no call to compact, and still returns the space.
    assert lessons.ok("history", "compact", "--days", "1").startswith("Gave free space back: history.db")
    assert os.path.getsize(lessons.home / "history.db") < before


def test_space_inside_pages_goes_back_to_the_disk(lessons: CommandLine, tmp_path: Path) -> None:
    on_day(0, *[LISTED] * 1000).write(tmp_path / "root")
    lessons.ok("scan", "--path", str(tmp_path / "root"))
    file = lessons.home / "history.db"
    before = file.stat().st_size
    assert lessons.json("history")["bytes"] == before
    promised = lessons.json("history", "compact", "--days", "1", "--dry-run")
    assert promised["bytesBefore"] == promised["bytesAfter"] == file.stat().st_size == before
    done = lessons.json("history", "compact", "--days", "1")
    assert done["bytesBefore"] == before
    assert done["bytesAfter"] == file.stat().st_size == vacuumed(file, tmp_path / "copy.db")
    assert done["bytesBefore"] - done["bytesAfter"] > 0.8 * done["characters"]
    assert [each.name for each in lessons.home.iterdir() if "sqlite" in each.name or "etilqs" in each.name] == []
    assert lessons.ok("history", "compact", "--days", "1").startswith("Nothing to compact")


def test_scans_compact_where_that_is_set(lessons: CommandLine, tmp_path: Path) -> None:
    on_day(0, *[EDIT] * 20).write(tmp_path / "root")
    lessons.ok("config", "set", "historyDays", "1")
    lessons.ok("scan", "--path", str(tmp_path / "root"))
    assert lessons.json("history", "compact")["calls"] == 0
    assert lessons.json("history")["compactedAt"]


def test_space_of_a_compaction_that_was_killed(lessons: CommandLine, tmp_path: Path) -> None:
    on_day(0, *[EDIT] * 200).write(tmp_path / "root")
    lessons.ok("config", "set", "historyDays", "1")
    lessons.ok("scan", "--path", str(tmp_path / "root"))  # compacts, and leaves the space to rows to come
    done = lessons.json("history", "compact")
    assert (done["calls"], done["bytesBefore"] > 2 * done["bytesAfter"]) == (0, True)
    assert lessons.ok("history", "compact").startswith("Nothing to compact")
