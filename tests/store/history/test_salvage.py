"""A damaged history: what can be read is saved, what is lost is told, and nothing is ever deleted."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from lessons.errors import DamagedFile
from lessons.store.history import backups, database, recovery
from tests.builders.history import ScannedHome

PAGE = 4096
SESSIONS = [f"s{number}" for number in range(4)]
Hurt = Callable[[bytes], bytes]


@pytest.fixture
def scanned(tmp_path: Path) -> ScannedHome:
    return _scanned(tmp_path)


def _scanned(root: Path) -> ScannedHome:
    home = ScannedHome(root)
    for name in SESSIONS:
        home.session(name)
    home.scan()
    home.settle()
    return home


def _zeroed(content: bytes, *pages: int) -> bytes:
    changed = bytearray(content)
    for page in pages:
        changed[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    return bytes(changed)


def _flipped(content: bytes, seed: int, bits: int) -> bytes:
    changed, chance = bytearray(content), random.Random(seed)
    for _ in range(bits):
        changed[chance.randrange(PAGE, len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _leaves(content: bytes, table: str, folder: Path) -> list[int]:
    """The pages, counted from 0, that hold rows of a table."""
    copy = folder / "looked-at.db"
    copy.write_bytes(content)
    with closing(sqlite3.connect(copy)) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    return _below(content, root - 1)


def _below(content: bytes, page: int) -> list[int]:
    data = content[page * PAGE : (page + 1) * PAGE]
    if data[0] != 5:
        return [page]
    count = int.from_bytes(data[3:5])
    places = [int.from_bytes(data[12 + 2 * number : 14 + 2 * number]) for number in range(count)] + [8]
    children = [int.from_bytes(data[place : place + 4]) - 1 for place in places]
    return [leaf for child in children for leaf in _below(content, child)]


def _is_sound(home: ScannedHome) -> bool:
    found = home.rows("PRAGMA integrity_check"), home.rows("PRAGMA foreign_key_check")
    return found == ([("ok",)], []) and home.file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "content", [b"nonsense " * 5000, bytes(40 * PAGE), b"SQLite format 3\0" + b"\xff" * 9000], ids=range(3)
)
def test_where_nothing_can_be_read_it_says_so_and_reads_the_transcripts(content: bytes, scanned: ScannedHome) -> None:
    before = scanned.commands()
    scanned.vanish("s0")
    scanned.file.write_bytes(content)
    finished = scanned.scan(full=True)
    assert finished.rescue is not None
    assert finished.rescue.lost[0].startswith("Nothing could be read from it any more")
    assert Path(finished.rescue.aside).read_bytes() == content
    assert {command for command in before if "door-s0-" not in str(command)} == scanned.commands()
    assert _is_sound(scanned)


def test_a_sound_file_loses_nothing_and_is_the_same_after_a_scan(scanned: ScannedHome) -> None:
    tables = [table for table in recovery.TABLES if table not in ("facts", "evidence")]
    with closing(sqlite3.connect(scanned.file)) as connection, connection:
        connection.execute("INSERT INTO answers VALUES ('fix-1', 'nothing', '[]', '[]', 'toy', '', 1, '[]')")
    before = {table: sorted(scanned.rows(f"SELECT * FROM {table}"), key=repr) for table in tables}
    candidates = scanned.rows("SELECT fingerprint, session_id, uuid, number, file FROM evidence ORDER BY 1, 2, 3, 4")
    assert all(before[table] for table in ("segments", "progress", "calls", "prompts", "tags", "candidates"))
    assert [row[:2] for row in before["answers"]] == [("fix-1", "nothing")]
    rescue = recovery.rescue(scanned.path)
    assert rescue.lost == []
    assert {table: len(before[table]) for table in tables}.items() <= rescue.rows.items()
    assert scanned.rows("SELECT DISTINCT offset, size, memory, head FROM sources") == [(0, -1, "", b"")]
    assert len(scanned.rows("SELECT rowid FROM words WHERE words MATCH 'door'")) >= len(before["calls"])
    scanned.scan()
    assert {table: sorted(scanned.rows(f"SELECT * FROM {table}"), key=repr) for table in tables} == before
    after = scanned.rows("SELECT fingerprint, session_id, uuid, number, file FROM evidence ORDER BY 1, 2, 3, 4")
    assert after == candidates
    assert _is_sound(scanned)


@pytest.mark.parametrize(
    "hurt",
    [
        lambda content: bytes(100) + content[100:],
        lambda content: content[:20] + b"\xff\xff" + content[22:],
        lambda content: _zeroed(content, 0),
        lambda content: content[: PAGE // 2] + bytes(PAGE // 2) + content[PAGE:],
    ],
    ids=["header", "two bytes", "first page", "half of the first page"],
)
def test_with_a_damaged_beginning_the_backup_is_read(hurt: Hurt, scanned: ScannedHome) -> None:
    calls, prompts = scanned.commands(), scanned.rows("SELECT * FROM prompts ORDER BY id")
    backup = backups.create(scanned.path)
    scanned.vanish()
    scanned.file.write_bytes(hurt(scanned.file.read_bytes()))
    rescue = recovery.rescue(scanned.path)
    assert scanned.commands() == calls
    assert len(scanned.rows("SELECT 1 FROM prompts")) == len(prompts)
    assert f"What was missing was taken from the backup of {backup.time}, as far as that goes." in rescue.lost
    assert f"Transcripts that no longer exist cannot be read again: {len(SESSIONS)} (" in rescue.lost[-1]
    assert _is_sound(scanned)


def test_a_backup_from_before_a_restore_is_not_mixed_in(scanned: ScannedHome) -> None:
    backups.create(scanned.path)
    backups.create(scanned.path, backups.BEFORE_RESTORE)
    scanned.vanish()
    scanned.file.write_bytes(b"nonsense " * 5000)
    assert recovery.rescue(scanned.path).rows["calls"] == 0


def test_zeroed_pages_cost_their_own_rows_only(scanned: ScannedHome, tmp_path: Path) -> None:
    content, before = scanned.file.read_bytes(), scanned.rows("SELECT id, command FROM calls ORDER BY id")
    leaves = _leaves(content, "calls", tmp_path)
    assert len(leaves) > 30
    scanned.vanish()
    scanned.file.write_bytes(_zeroed(content, *leaves[5:8]))
    rescue = recovery.rescue(scanned.path)
    after = scanned.rows("SELECT id, command FROM calls ORDER BY id")
    assert set(after) < set(before)
    missing = len(before) - len(after)
    assert 3 <= missing <= 3 * 12
    assert rescue.lost[0] == "Not every row could be read: calls."
    assert rescue.rows["calls"] == len(after)
    assert _is_sound(scanned)


@pytest.mark.parametrize("backup", [False, True])
def test_what_lies_between_two_damaged_places(backup: bool, scanned: ScannedHome, tmp_path: Path) -> None:
    content, before = scanned.file.read_bytes(), scanned.commands()
    if backup:
        backups.create(scanned.path)
    leaves = _leaves(content, "calls", tmp_path)
    scanned.vanish()
    scanned.file.write_bytes(_zeroed(content, leaves[10], leaves[25], leaves[-1]))
    rescue = recovery.rescue(scanned.path)
    assert (scanned.commands() == before) is backup
    assert rescue.rows["calls"] > 0
    assert rescue.lost[0] == "Not every row could be read: calls."


@pytest.mark.parametrize("part", [0.4, 0.9])
def test_a_file_that_was_cut_off(part: float, scanned: ScannedHome, tmp_path: Path) -> None:
    content, before = scanned.file.read_bytes(), len(scanned.commands())
    scanned.vanish()
    kept = int(len(content) * part)
    scanned.file.write_bytes(content[:kept])
    rescue = recovery.rescue(scanned.path)
    with database.opened(str(tmp_path / "empty")):
        pass
    tables = (tmp_path / "empty" / "history.db").stat().st_size  # every table begins with a page, and none holds a row
    assert rescue.rows["calls"] > before * (kept - tables) / (len(content) - tables) * 0.4
    assert rescue.rows["calls"] == len(scanned.commands())
    assert _is_sound(scanned)


@pytest.mark.parametrize("seed", range(4))
def test_flipped_bits_never_stop_it(seed: int, scanned: ScannedHome) -> None:
    ids = "SELECT tool_use_id FROM calls"
    original, before = scanned.file.read_bytes(), set(scanned.rows(ids))
    scanned.file.write_bytes(_flipped(original, seed, 10 * 4 ** (seed % 4)))
    rescue = recovery.rescue(scanned.path)
    assert Path(rescue.aside).stat().st_size == len(original)
    assert _is_sound(scanned)
    finished = scanned.scan()  # whatever was saved can be scanned into
    assert before <= set(scanned.rows(ids))
    assert (finished.rescue, finished.coverage.files.read) == (None, len(SESSIONS))
    assert _is_sound(scanned)


def test_a_lost_source_is_stood_in_for_until_its_file_is_read(scanned: ScannedHome, tmp_path: Path) -> None:
    content, before = scanned.file.read_bytes(), scanned.commands()
    scanned.file.write_bytes(_zeroed(content, *_leaves(content, "sources", tmp_path)))
    rescue = recovery.rescue(scanned.path)
    assert scanned.commands() == before
    assert f"The paths of {len(SESSIONS)} transcripts are lost." in rescue.lost
    assert {str(row[0])[:9] for row in scanned.rows("SELECT path FROM sources")} == {"~unknown-"}
    assert scanned.rows("SELECT 1 FROM segments") == scanned.rows("SELECT 1 FROM progress") == []
    assert _is_sound(scanned)
    scanned.vanish("s1")
    scanned.scan()
    used = scanned.rows("SELECT DISTINCT s.path FROM calls c JOIN sources s ON s.id = c.source_id")
    assert sum(str(path).startswith("~") for (path,) in used) == 1
    assert scanned.commands() == before


def test_the_wal_goes_along_and_can_still_be_read(scanned: ScannedHome) -> None:
    with closing(sqlite3.connect(scanned.file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("UPDATE calls SET branch = 'only-in-the-wal'")
        connection.commit()
        files = {ending: Path(f"{scanned.file}{ending}").read_bytes() for ending in ("", "-wal")}
    for ending, content in files.items():
        Path(f"{scanned.file}{ending}").write_bytes(content)
    rescue = recovery.rescue(scanned.path)
    assert {ending: Path(rescue.aside + ending).read_bytes() for ending in files} == files
    assert scanned.rows("SELECT DISTINCT branch FROM calls") == [("only-in-the-wal",)]
    with closing(sqlite3.connect(database.address(rescue.aside), uri=True)) as connection:
        assert connection.execute("SELECT DISTINCT branch FROM calls").fetchall() == [("only-in-the-wal",)]
    assert not Path(f"{scanned.file}-wal").exists() or Path(f"{scanned.file}-wal").stat().st_size == 0


def test_what_a_person_decided_survives(scanned: ScannedHome, tmp_path: Path) -> None:
    with closing(sqlite3.connect(scanned.file)) as connection:
        connection.execute("UPDATE candidates SET status = 'archived'")
        connection.commit()
    content = scanned.file.read_bytes()
    scanned.file.write_bytes(_zeroed(content, _leaves(content, "calls", tmp_path)[3]))
    assert scanned.scan(full=True).rescue is not None
    assert scanned.rows("SELECT DISTINCT status FROM candidates") == [("archived",)]


def test_a_scan_that_meets_damage_on_its_way_rescues(scanned: ScannedHome, tmp_path: Path) -> None:
    """The file opens without complaint; only writing into the damaged page fails."""
    content, before = scanned.file.read_bytes(), scanned.commands()
    (scanned.home / "backups").mkdir()
    scanned.vanish("s0")
    for leaf in (_leaves(content, "calls", tmp_path)[-1], _leaves(content, "known", tmp_path)[-1]):
        scanned.file.write_bytes(_zeroed(content, leaf))
        scanned.session("s9")
        finished = scanned.scan()
        assert finished.rescue is not None
        assert len({command for command in before if "-s0-" in str(command)} - scanned.commands()) <= 12
        assert len(scanned.rows("SELECT 1 FROM calls WHERE command LIKE '%-s9-%'")) == 60
        assert _is_sound(scanned)


def test_damage_that_a_scan_would_not_meet_is_found_by_a_full_one(scanned: ScannedHome, tmp_path: Path) -> None:
    content = scanned.file.read_bytes()
    scanned.scan()  # today's backup is made
    scanned.settle()
    scanned.file.write_bytes(_zeroed(content, _leaves(content, "tags", tmp_path)[0]))
    assert scanned.scan().rescue is None
    assert scanned.scan(full=True).rescue is not None
    assert scanned.scan(full=True).rescue is None


def test_to_look_something_up_in_a_damaged_history(scanned: ScannedHome, tmp_path: Path) -> None:
    content = scanned.file.read_bytes()
    scanned.file.write_bytes(_zeroed(content, *_leaves(content, "calls", tmp_path)))
    for hurt in (scanned.file.read_bytes(), b"nonsense" * 1000):
        scanned.file.write_bytes(hurt)
        with pytest.raises(DamagedFile, match="`lessons scan --full` sets it aside, recovers its rows"):
            _look(scanned.path)
        assert scanned.file.read_bytes() == hurt


@pytest.mark.parametrize("word", ["CREATE TABLE progress", "CREATE TABLE calls", "CREATE INDEX"])
def test_a_byte_of_the_schema_that_is_not_text(word: str, scanned: ScannedHome) -> None:
    content = bytearray(scanned.file.read_bytes())
    content[content.index(word.encode()) + 8] = 0xAF  # SQLite quotes it in its message, which Python cannot decode
    scanned.file.write_bytes(content)
    with pytest.raises(DamagedFile, match="`lessons scan --full` sets it aside, recovers its rows"):
        backups.create(scanned.path)
    with pytest.raises(DamagedFile, match="is damaged"):
        _look(scanned.path)
    assert scanned.scan(full=True).rescue is not None
    assert _is_sound(scanned)


def _look(home: str) -> None:
    with database.for_reading(home) as connection:
        connection.execute("SELECT * FROM calls").fetchall()


@pytest.mark.parametrize("moved", [(), ("-wal",), ("-wal", "-shm", "")])
def test_an_exchange_that_was_interrupted_is_finished(moved: tuple[str, ...], scanned: ScannedHome) -> None:
    before = scanned.commands()
    scanned.vanish()
    rescue = recovery.rescue(scanned.path)
    os.rename(scanned.file, f"{scanned.file}.rescued")
    for ending in ("-wal", "-shm", ""):
        Path((rescue.aside if ending in moved else str(scanned.file)) + ending).write_bytes(
            b"damaged" + ending.encode()
        )
        if ending not in moved:
            Path(rescue.aside + ending).unlink(missing_ok=True)
    finished = scanned.scan()
    assert finished.rescue == rescue
    assert scanned.commands() == before
    assert [Path(rescue.aside + ending).read_bytes() for ending in ("", "-wal", "-shm")] == [
        b"damaged" + ending for ending in (b"", b"-wal", b"-shm")
    ]
    assert scanned.scan().rescue is None


def test_a_new_history_in_the_place_of_the_damaged_one_is_kept_too(scanned: ScannedHome) -> None:
    before = scanned.commands()
    scanned.vanish()
    rescue = recovery.rescue(scanned.path)
    os.rename(scanned.file, f"{scanned.file}.rescued")
    with database.opened(scanned.path) as connection:
        database.put_fact(connection, "someone", "was here")
    assert recovery.finish(scanned.path) == rescue
    assert scanned.commands() == before
    others = [name for name in recovery.asides(scanned.path) if name != rescue.aside and not name.endswith("m")]
    assert len([name for name in others if not name.endswith("-wal")]) == 1


RESCUE = "import sys; from lessons.store.history import recovery; print('!', flush=True); recovery.rescue(sys.argv[1])"


def test_killed_at_any_moment_nothing_is_lost(scanned: ScannedHome) -> None:
    """Afterwards the damaged file is there still, or the new one is whole; the next scan has every row."""
    before = scanned.commands()
    roots = scanned.rows("SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'calls'")
    hurt = _zeroed(scanned.file.read_bytes(), *(int(str(row[0])) - 1 for row in roots))
    scanned.vanish()
    chance = random.Random(7)
    for _ in range(4):
        for path in scanned.home.glob("history.db*"):
            path.unlink()
        scanned.file.write_bytes(hurt)
        process = subprocess.Popen([sys.executable, "-c", RESCUE, scanned.path], stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.read(1) == b"!"
        time.sleep(chance.random() * 0.25)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kept = [scanned.file, *map(Path, recovery.asides(scanned.path))]
        assert any(path.exists() and path.read_bytes() == hurt for path in kept)
        scanned.scan(full=True)
        assert scanned.commands() == before
        left = {path.name for path in scanned.home.iterdir() if "rescue" in path.name}
        assert left == set()
