"""`lessons history`: its size, compaction and backups."""

import json
from pathlib import Path

import pytest

from lessons.store.history import backups
from lessons.store.history.backups import KEPT_BACKUPS
from lessons.store.history.schema import VERSION
from tests.builders.days import Did, on_day
from tests.builders.history import ScannedHome
from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson
from tests.cli.command_line import COLUMNS, CommandLine, finish, widest

EDIT = Did(tool="Edit", arguments={"file_path": "/home/dev/a.py", "new_string": "total = 1\n" * 400})
# So short that a page holds several: without their descriptions no page becomes free, all of them become emptier.
LISTED = Did(arguments={"command": "ls -la", "description": "List the files of this folder, also hidden ones. " * 12})


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
    terminal = lessons.terminal("history", "compact", "--days", "1")
    terminal.expect(r"Drop .* MB of arguments from 200 calls, permanently\? .y/N")
    terminal.sendline("")
    assert finish(terminal)[0] == 1 and lessons.json("history") == before
    done = lessons.json("history", "compact", "--days", "1")
    assert (done["calls"], done["bytesBefore"] > 2 * done["bytesAfter"]) == (200, True)
    after = lessons.json("history")
    assert (after["calls"], after["bytes"]) == (200, done["bytesAfter"])
    assert lessons.ok("history", "compact", "--days", "1").startswith("Nothing to compact")
    assert after["argumentsSince"] > before["last"]
    assert f"everything since {after['argumentsSince'][:10]}; of older successful calls" in lessons.ok("history")
    lessons.ok("config", "set", "historyDays", "30")
    assert "arguments of successful calls for 30 days" in lessons.ok("history")


@pytest.fixture
def scanned(home: DataHome, tmp_path: Path) -> ScannedHome:
    home.publish(lesson())
    data = ScannedHome(tmp_path)
    data.session("s1", calls=20)
    data.scan()
    return data


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        (["restore"], "Give the NAME of a backup, or --latest.", 2),
        (["restore", "backup-x", "--latest"], "Give the NAME of a backup, or --latest.", 2),
        (["remove"], "No such command 'remove'", 2),
        (["restore", "--latest"], "No backup yet. Run `lessons backup create`.", 1),
        (["restore", "backup-1"], "There is no backup 'backup-1': `lessons backup list` shows them all.", 1),
    ],
)
def test_what_is_refused(arguments: list[str], sentence: str, code: int, lessons: CommandLine) -> None:
    assert sentence in lessons.refused("backup", *arguments, code=code)


def test_made_and_listed(scanned: ScannedHome, lessons: CommandLine) -> None:
    said = lessons.ok("backup", "create")
    made = lessons.json("backup", "create")
    assert said.startswith("Created backup backup-20")
    assert made["files"] == ["history.db", "lessons.json"]
    assert (made["calls"], made["reason"], made["tables"]) == (20, "by hand", VERSION)
    assert made["bytes"] == sum(path.stat().st_size for path in Path(made["folder"]).iterdir())
    listed = lessons.json("backup")["backups"]
    assert (listed[0], len(listed)) == (made, 2)
    assert lessons.ok("backup").splitlines()[0].split("\t")[0] == made["name"]
    lines = lessons.screen("backup", "list")
    assert lines[0].split() == ["backup", "size", "calls", "made"]
    assert widest(lines) <= COLUMNS


def test_put_back_with_what_the_hook_reads(home: DataHome, scanned: ScannedHome, lessons: CommandLine) -> None:
    lessons.ok("backup", "create")
    home.publish(lesson(), blocking())
    assert len(home.manifest()["lessons"]) == 2
    sentence = lessons.refused("backup", "restore", "--latest")
    assert "would replace the history and the lessons. Add --yes to do so." in sentence
    assert sentence == lessons.refused("backup", "restore", "--latest", "--json")
    assert len(home.manifest()["lessons"]) == 2
    done = lessons.json("backup", "restore", "--latest", "--yes")
    assert done["files"] == ["history.db", "lessons.json"]
    assert len(home.manifest()["lessons"]) == 1
    back = lessons.ok("backup", "restore", done["before"], "--yes")
    assert back.startswith(f"Restored history.db, lessons.json from {done['before']}.\n")
    assert "undoes this" in back
    assert len(home.manifest()["lessons"]) == 2
    assert len(scanned.commands()) == 20


def test_a_person_is_asked(home: DataHome, scanned: ScannedHome, lessons: CommandLine) -> None:
    made = lessons.json("backup", "create")["name"]
    home.publish(lesson(), blocking())
    for answer, left in (("n", 2), ("y", 1)):
        terminal = lessons.terminal("backup", "restore", made)
        terminal.expect("Replace the history and the lessons with those of")
        terminal.sendline(answer)
        code, lines = finish(terminal)
        assert code == 0
        assert ("Nothing was changed." in lines) == (answer == "n")
        assert len(home.manifest()["lessons"]) == left


def test_damage_is_told_with_what_to_do(scanned: ScannedHome, lessons: CommandLine) -> None:
    made = lessons.json("backup", "create")
    scanned.file.write_bytes(b"nonsense" * 1000)
    assert "`lessons scan --full` sets it aside" in lessons.refused("backup", "create")
    done = lessons("backup", "restore", made["name"], "--yes")
    assert done.code == 0
    assert "The damaged history is kept as " in done.out
    Path(backups.history_of(scanned.path, made["name"])).write_bytes(b"nonsense" * 1000)
    assert "choose another one" in lessons.refused("backup", "restore", made["name"], "--yes")


def test_a_damaged_history_is_rescued_by_the_verb_that_is_named(scanned: ScannedHome, lessons: CommandLine) -> None:
    """From the first complaint to a sound history, with what the person is told on the way."""
    folder = str(scanned.transcripts)
    made = lessons.json("backup", "create")
    scanned.vanish()
    scanned.settle()
    scanned.file.write_bytes(bytes(100) + scanned.file.read_bytes()[100:])
    assert "`lessons scan --full` sets it aside" in lessons.refused("scan", "--path", folder, "--dry-run")
    ended = lessons("scan", "--path", folder, "--full", "--json")
    assert ended.code == 0
    rescue = json.loads(ended.out)["rescue"]
    assert rescue["rows"]["calls"] == 20
    assert f"The damaged history is kept as {rescue['aside']}; a new one was created." in ended.error
    assert f"What was missing was taken from the backup of {made['time']}, as far as that goes." in ended.error
    assert "Transcripts that no longer exist cannot be read again: 1 (" in ended.error
    assert len(scanned.commands()) == 20


@pytest.mark.parametrize("name", ["lessons.json", "config.json"])
def test_a_damaged_file_is_named_and_never_the_latest(name: str, scanned: ScannedHome, lessons: CommandLine) -> None:
    lessons.ok("config", "set", "minPriority", "2")
    file = lessons.home / name
    good = lessons.json("backup", "create")["name"]
    content = file.read_bytes()
    file.write_bytes(content[:-10])
    ended = lessons("backup", "create")
    assert ended.code == 0
    fix = f"`lessons backup restore {good}` restores the last good one."
    sentence = f"warning: {name} is damaged, and so is the copy. {fix}"
    assert sentence in ended.error
    for _ in range(KEPT_BACKUPS):
        lessons.json("backup", "create")
    listed = lessons.json("backup", "list")["backups"]
    assert listed[0]["damaged"] == [name] and listed[-1]["name"] == good and listed[-1]["damaged"] == []
    assert f"by hand, {name} damaged" in lessons.ok("backup", "list")
    assert lessons.json("backup", "restore", "--latest", "--yes")["restored"] == good
    assert file.read_bytes() == content
