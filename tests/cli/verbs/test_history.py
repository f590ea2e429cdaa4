"""`lessons history`: the size of the history, and what compacting makes of it."""

from pathlib import Path

from tests.builders.days import Did, on_day
from tests.cli.command_line import CommandLine

EDIT = Did(tool="Edit", arguments={"file_path": "/home/dev/a.py", "new_string": "total = 1\n" * 400})


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
    assert "everything (setting historyDays)" in lessons.ok("history")


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
