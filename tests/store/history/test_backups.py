"""Backups: whole or not there, kept 14, and put back so that even that can be taken back."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lessons.errors import Busy, DamagedFile, NotFound, Refused
from lessons.scan.run import Finished, Options, run
from lessons.store import logs
from lessons.store.history import backups, database, recovery
from lessons.store.history.schema import VERSION
from lessons.store.running import scanning
from tests.builders.history import ScannedHome


@pytest.fixture
def scanned(tmp_path: Path) -> ScannedHome:
    home = ScannedHome(tmp_path)
    home.session("s1")
    home.scan()
    (home.home / "lessons.json").write_text('{"lessons": []}')
    (home.home / "config.json").write_text('{"minPriority": 2}')
    (home.home / "decisions.jsonl").write_text('{"decision": "archived"}\n')
    return home


def _names(home: ScannedHome) -> list[str]:
    return [each.name for each in backups.listing(home.path)]


def _stamp(home: ScannedHome, name: str) -> None:
    """Something that tells one state of the history from another."""
    with database.opened(home.path) as connection:
        database.put_fact(connection, "stamp", name)


def _stamped(home: ScannedHome) -> str:
    with database.for_reading(home.path) as connection:
        return database.get_fact(connection, "stamp")


def _change(home: ScannedHome, name: str, **about: object) -> None:
    file = Path(backups.folder_of(home.path, name)) / "backup.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | about))


@pytest.mark.parametrize("name", ["", "backup-1", "../data", "backup-../..", "/etc", "lessons-2026-01-01.json"])
def test_what_is_no_backup(name: str, scanned: ScannedHome) -> None:
    with pytest.raises(NotFound, match="There is no backup"):
        recovery.restore(scanned.path, name)


def test_an_empty_home_has_no_backup(tmp_path: Path) -> None:
    home = str(tmp_path / "none")
    assert backups.listing(home) == []
    assert backups.make(home) is None
    with pytest.raises(NotFound, match="No backup yet"):
        recovery.latest(home)
    assert not os.path.exists(home)


def test_a_backup_is_whole_and_for_nobody_else(scanned: ScannedHome) -> None:
    made = backups.create(scanned.path)
    place = Path(backups.folder_of(scanned.path, made.name))
    assert sorted(path.name for path in place.iterdir()) == [
        *("backup.json", "config.json", "decisions.jsonl", "history.db", "lessons.json")
    ]
    assert {path.stat().st_mode & 0o777 for path in place.iterdir()} == {0o600}
    assert (made.tables, made.calls, made.reason) == (VERSION, 60, "by hand")
    with closing(sqlite3.connect(place / "history.db")) as copy:
        assert copy.execute("SELECT count(*) FROM calls").fetchone() == (60,)
    assert backups.listing(scanned.path) == [made]


def test_fourteen_are_kept_and_nothing_else_is_touched(scanned: ScannedHome) -> None:
    folder = Path(scanned.path, "backups")
    (folder / "mine").mkdir(parents=True)
    (folder / "lessons-2026-01-02.json").touch()
    (folder / ".unfinished-backup-20200101T000000Z").mkdir()
    made = [backups.create(scanned.path).name for _ in range(backups.KEPT_BACKUPS + 2)]
    assert len(set(made)) == len(made)
    assert _names(scanned) == made[2:]
    others = {path.name for path in folder.iterdir()} - set(made)
    assert others == {"lessons-2026-01-02.json", "mine", "backup.lock"}


def test_a_damaged_history_makes_no_backup(scanned: ScannedHome) -> None:
    scanned.settle()
    content = bytearray(scanned.file.read_bytes())
    content[20 * 4096 : 30 * 4096] = bytes(10 * 4096)
    for hurt in (bytes(content), b"nonsense" * 1000):
        scanned.file.write_bytes(hurt)
        with pytest.raises(DamagedFile, match="`lessons scan --full` sets it aside"):
            backups.create(scanned.path)
    assert [path.name for path in Path(scanned.path, "backups").iterdir()] == ["backup.lock"]


def test_a_scan_makes_one_a_day(tmp_path: Path) -> None:
    home = ScannedHome(tmp_path)
    home.session("s1")
    home.scan()
    assert backups.listing(home.path) == []  # there was nothing yet to be copied
    home.session("s2")
    home.scan()
    (made,) = backups.listing(home.path)
    assert (made.reason, made.calls) == ("daily", 60)
    home.session("s3")
    home.scan()
    assert _names(home) == [made.name]
    _change(home, made.name, time="2026-01-01T00:00:00Z")
    home.scan()
    assert len(_names(home)) == 2


def test_a_backup_that_cannot_be_made_keeps_no_scan_from_its_work(scanned: ScannedHome) -> None:
    (scanned.home / "backups").write_text("a file where the folder should be")
    scanned.session("s2")
    assert scanned.scan().coverage.files.read == 1
    assert "No backup of " in logs.read_scan_log(scanned.path)[-1]


def test_a_restore_and_back_again(scanned: ScannedHome) -> None:
    _stamp(scanned, "old")
    made = backups.create(scanned.path)
    _stamp(scanned, "new")
    (scanned.home / "lessons.json").write_text('{"lessons": [], "newer": 1}')
    (scanned.home / "config.json").unlink()
    done = recovery.restore(scanned.path, made.name)
    assert _stamped(scanned) == "old"
    assert done.files == ["history.db", "lessons.json", "config.json", "decisions.jsonl"]
    assert (scanned.home / "lessons.json").read_text() == '{"lessons": []}'
    assert (scanned.home / "config.json").read_text() == '{"minPriority": 2}'
    assert scanned.file.stat().st_mode & 0o777 == 0o600
    assert scanned.rows("PRAGMA integrity_check") == [("ok",)]
    assert done.before.reason == "before a restore"
    recovery.restore(scanned.path, done.before.name)
    assert _stamped(scanned) == "new"
    assert json.loads((scanned.home / "lessons.json").read_text())["newer"] == 1
    assert (scanned.home / "config.json").exists()  # the backup had none: what is there stays


def test_a_restored_history_does_not_meet_the_wal_of_the_one_before(scanned: ScannedHome) -> None:
    _stamp(scanned, "old")
    made = backups.create(scanned.path)
    with database.for_reading(scanned.path) as reader:
        reader.execute("SELECT 1 FROM calls").fetchone()  # as long as someone reads, the -wal stays
        _stamp(scanned, "new")
        assert Path(f"{scanned.file}-wal").stat().st_size > 0
        recovery.restore(scanned.path, made.name)
    assert _stamped(scanned) == "old"
    assert scanned.rows("PRAGMA integrity_check") == [("ok",)]


def test_the_oldest_backup_is_not_removed_by_its_own_restore(scanned: ScannedHome) -> None:
    made = [backups.create(scanned.path).name for _ in range(backups.KEPT_BACKUPS)]
    recovery.restore(scanned.path, made[0])
    assert made[0] in _names(scanned)
    assert made[1] in _names(scanned)


def test_what_was_to_be_forgotten_stays_forgotten(scanned: ScannedHome) -> None:
    made = backups.create(scanned.path)
    file = scanned.home / "decisions.jsonl"
    wish = '{"decision": "forgotten", "session": "abc"}\n'
    file.write_text(file.read_text() + wish + '{"decision": "promoted"}\n')
    recovery.restore(scanned.path, made.name)
    assert file.read_text() == '{"decision": "archived"}\n' + wish + '{"decision": "promoted"}\n'


def test_a_damaged_history_can_be_replaced_and_is_kept(scanned: ScannedHome) -> None:
    _stamp(scanned, "old")
    made = backups.create(scanned.path)
    scanned.file.write_bytes(b"nonsense" * 1000)
    done = recovery.restore(scanned.path, made.name)
    assert _stamped(scanned) == "old"
    assert Path(done.aside).read_bytes() == b"nonsense" * 1000
    assert (done.before.tables, sorted(done.before.digests)) == (0, ["config.json", "decisions.jsonl", "lessons.json"])


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 8192] = bytes(len(content[len(content) // 2 :][:8192]))
    path.write_bytes(bytes(content))


@pytest.mark.parametrize("file", ["history.db", "lessons.json", "config.json", "backup.json"])
def test_a_damaged_backup_is_refused_and_nothing_changes(file: str, scanned: ScannedHome) -> None:
    made = backups.create(scanned.path)
    _stamp(scanned, "now")
    _flip(Path(backups.folder_of(scanned.path, made.name)) / file)
    with pytest.raises(DamagedFile, match="`lessons backup list` shows them all"):
        recovery.restore(scanned.path, made.name)
    (Path(backups.folder_of(scanned.path, made.name)) / file).unlink()
    with pytest.raises(DamagedFile):
        recovery.restore(scanned.path, made.name)
    assert _stamped(scanned) == "now"
    assert len(os.listdir(scanned.home / "backups")) == 2


def test_a_backup_of_a_newer_version_is_refused(scanned: ScannedHome) -> None:
    made = backups.create(scanned.path)
    _change(scanned, made.name, tables=99, madeBy="9.9")
    with pytest.raises(Refused, match=r"newer lessons \(9\.9\): update lessons"):
        recovery.restore(scanned.path, made.name)


def test_not_while_a_scan_is_running(scanned: ScannedHome) -> None:
    made = backups.create(scanned.path)
    with scanning(scanned.path), pytest.raises(Busy, match="A scan or a backup is running, and nothing was restored"):
        recovery.restore(scanned.path, made.name)


CREATE = "import sys; from lessons.store.history import backups; print('!', flush=True); backups.create(sys.argv[1])"


def test_killed_at_any_moment_a_backup_is_whole_or_not_there(scanned: ScannedHome) -> None:
    for number in range(5):
        process = subprocess.Popen([sys.executable, "-c", CREATE, scanned.path], stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.read(1) == b"!"
        time.sleep(number * 0.012)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        for each in backups.listing(scanned.path):
            recovery.check(scanned.path, each.name)
    backups.create(scanned.path)
    assert [name for name in os.listdir(scanned.home / "backups") if name.startswith(".")] == []


def backed_up(home: ScannedHome, days_ago: int = 1) -> ScannedHome:
    """With one backup, which was made so many days ago."""
    home.settle()
    then = datetime.now(UTC) - timedelta(days=days_ago)
    _change(home, backups.create(home.path).name, time=f"{then:%Y-%m-%dT%H:%M:%SZ}")
    return home


def read_for_a_person(home: ScannedHome, full: bool = False, is_awaited: bool = True) -> Finished:
    home.session("s2")
    return run(home.path, Options([str(home.transcripts)], full=full, processes=1, is_awaited=is_awaited))


def _of_older_tables(home: ScannedHome) -> None:
    with closing(sqlite3.connect(home.file)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION - 1}")


@pytest.mark.parametrize(
    "change",
    [
        lambda home: home.file.unlink(),
        lambda home: home.file.write_bytes(b""),
        lambda home: home.file.write_bytes(b"nonsense" * 10_000),
        _of_older_tables,
    ],
)
def test_what_a_scan_waits_for(change: Callable[[ScannedHome], None], scanned: ScannedHome) -> None:
    assert not backups.can_wait(scanned.path)  # no backup: the process that makes them may not work
    assert not backups.can_wait(backed_up(scanned, days_ago=3).path)
    assert backups.can_wait(backed_up(scanned).path)
    change(scanned)
    assert not backups.can_wait(scanned.path)


def test_a_person_does_not_wait_for_the_backup_of_the_day(scanned: ScannedHome) -> None:
    read_for_a_person(backed_up(scanned))
    assert [each.calls for each in backups.listing(scanned.path)] == [60]
    backups.make(scanned.path)
    assert [each.calls for each in backups.listing(scanned.path)] == [60, 120]
    assert not backups.is_due(scanned.path)


@pytest.mark.parametrize("options", [{"full": True}, {"is_awaited": False}])
def test_a_full_scan_and_one_without_a_person_back_up_first(options: dict[str, bool], scanned: ScannedHome) -> None:
    read_for_a_person(backed_up(scanned), **options)
    assert [each.calls for each in backups.listing(scanned.path)] == [60, 60]


def test_where_no_backup_was_made_lately_damage_is_found_before_the_history_is_read(scanned: ScannedHome) -> None:
    scanned.settle()
    content = bytearray(scanned.file.read_bytes())
    content[20 * 4096 : 30 * 4096] = bytes(10 * 4096)
    scanned.file.write_bytes(bytes(content))
    assert read_for_a_person(scanned).rescue is not None
    assert scanned.rows("PRAGMA integrity_check") == [("ok",)]
