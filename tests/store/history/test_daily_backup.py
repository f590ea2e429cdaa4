"""The daily backup: one a day, whoever makes it, and first wherever waiting for it could lose something."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from lessons.capture.run import Options, run
from lessons.store import fired
from lessons.store.history import backups, daily_backup, restore
from lessons.store.history.migrations import STEPS
from tests.builders.history import ScannedHome
from tests.tables import table

LARGE = 24_000_000
MAKE = (
    "import sys; from lessons.store.history import daily_backup; print('!', flush=True); daily_backup.make(sys.argv[1])"
)


def large(root: Path) -> ScannedHome:
    """A history that takes a while to copy."""
    home = ScannedHome(root)
    home.session("s1")
    home.scan()
    with closing(sqlite3.connect(home.file)) as connection, connection:
        connection.execute("CREATE TABLE filler (content)")
        connection.execute("INSERT INTO filler VALUES (zeroblob(?))", (LARGE,))
    home.settle()
    return home


def started(home: ScannedHome, seconds_ago: float) -> None:
    """A process was started for the backup."""
    assert daily_backup.start(home.path)
    then = time.time() - seconds_ago
    os.utime(home.home / "fired" / "backup", (then, then))


def awaited(home: ScannedHome) -> list[int]:
    """How many calls each backup has after a scan for which a person waits; it reads 60 calls."""
    home.session("s2")
    run(home.path, Options([str(home.transcripts)], processes=1, is_awaited=True))
    return [each.calls for each in backups.listing(home.path)]


def _of_older_tables(home: ScannedHome) -> None:
    with closing(sqlite3.connect(home.file)) as connection:
        connection.execute(f"PRAGMA user_version = {len(STEPS) - 1}")


def _without_content(home: ScannedHome) -> None:
    home.file.write_bytes(b"nonsense" * (LARGE // 8))


@table(
    "change",
    [
        lambda home: home.file.unlink(),
        lambda home: home.file.write_bytes(b""),
        _of_older_tables,
        _without_content,
        lambda home: started(home, seconds_ago=3_600),
    ],
)
def test_what_a_scan_waits_for(change: Callable[[ScannedHome], None], tmp_path: Path) -> None:
    home = large(tmp_path)
    assert daily_backup.can_wait(home.path)
    change(home)
    assert not daily_backup.can_wait(home.path)


def test_a_small_history_is_backed_up_before_it_is_read(tmp_path: Path) -> None:
    home = ScannedHome(tmp_path)
    home.session("s1")
    home.scan()
    assert awaited(home) == [60]


def test_a_person_does_not_wait_for_the_backup_of_a_large_one(tmp_path: Path) -> None:
    home = large(tmp_path)
    assert awaited(home) == []
    assert daily_backup.start(home.path)
    assert not daily_backup.start(home.path)  # another scan in the same moment
    daily_backup.make(home.path)
    assert [each.calls for each in backups.listing(home.path)] == [120]
    os.utime(home.home / "fired" / "backup", (1, 1))
    assert not daily_backup.start(home.path)  # not due again
    assert daily_backup.can_wait(home.path)


def test_a_full_scan_and_one_without_a_person_back_up_first(tmp_path: Path) -> None:
    for number, options in enumerate((Options(full=True, is_awaited=True), Options())):
        (tmp_path / str(number)).mkdir()
        home = large(tmp_path / str(number))
        home.session("s2")
        run(home.path, Options([str(home.transcripts)], (), options.full, False, 1, options.is_awaited))
        assert [each.calls for each in backups.listing(home.path)] == [60]


def test_after_a_process_that_made_none_the_next_scan_does(tmp_path: Path) -> None:
    home = large(tmp_path)
    started(home, seconds_ago=3_600)
    assert awaited(home) == [60]
    assert daily_backup.can_wait(home.path)


def test_damage_that_a_process_met_is_mended_by_the_next_scan(tmp_path: Path) -> None:
    home = large(tmp_path)
    content = bytearray(home.file.read_bytes())
    content[20 * 4096 : 30 * 4096] = bytes(10 * 4096)
    home.file.write_bytes(bytes(content))
    started(home, seconds_ago=3_600)
    finished = run(home.path, Options([str(home.transcripts)], processes=1, is_awaited=True))
    assert finished.rescue is not None
    assert home.rows("PRAGMA integrity_check") == [("ok",)]


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="which process waits for the lock is read from /proc")
def test_two_processes_at_once_make_one(tmp_path: Path) -> None:
    home = large(tmp_path)
    with backups.writing(home.path):
        processes = [subprocess.Popen([sys.executable, "-c", MAKE, home.path]) for _ in range(2)]
        lock = os.path.realpath(home.home / "backups" / "backup.lock")
        for process in processes:
            _wait_until(lambda process=process: lock in _open_files(process.pid))  # type: ignore[misc]
    assert [process.wait(60) for process in processes] == [0, 0]
    assert len(backups.listing(home.path)) == 1


def test_killed_in_the_middle_it_leaves_nothing_that_counts(tmp_path: Path) -> None:
    home = large(tmp_path)
    process = subprocess.Popen([sys.executable, "-c", MAKE, home.path])
    try:
        _wait_until(lambda: any(_unfinished(home)) or process.poll() is not None)
        process.send_signal(signal.SIGSTOP)
        assert any(_unfinished(home))
        assert backups.listing(home.path) == []
    finally:
        process.kill()
        process.wait()
    assert daily_backup.is_due(home.path)
    made = daily_backup.make(home.path)
    assert made is not None
    restore.check(home.path, made.name)
    assert _unfinished(home) == []
    assert fired.last(home.path, "backup") is None  # only who starts a process sets the mark


def _unfinished(home: ScannedHome) -> list[str]:
    folder = home.home / "backups"
    return [name for name in os.listdir(folder) if name.startswith(".")] if folder.exists() else []


def _open_files(process: int) -> set[str]:
    found = set()
    for name in os.listdir(f"/proc/{process}/fd"):
        try:
            found.add(os.readlink(f"/proc/{process}/fd/{name}"))
        except FileNotFoundError:  # closed meanwhile
            continue
    return found


def _wait_until(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.001)
