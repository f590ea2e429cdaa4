"""SQLite's errors leave the history as ours, from every method and from every way to open it."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from lessons.errors import DamagedFile, HistoryUnavailable, NotFound
from lessons.store.history import database
from lessons.store.history.database import NotStorable, is_damage
from lessons.store.history.history import History
from tests.store.history.history import History as Made
from tests.store.history.history import history
from tests.tables import table


@pytest.mark.parametrize(
    ("fault", "damage"),
    [
        (sqlite3.OperationalError("database is locked"), False),
        (sqlite3.OperationalError("database or disk is full"), False),
        (sqlite3.OperationalError("attempt to write a readonly database"), False),
        (sqlite3.OperationalError("unable to open database file"), False),
        (sqlite3.OperationalError('fts5: syntax error near ""'), False),
        (sqlite3.OperationalError("no such column: foo"), False),
        (ValueError("malformed"), False),
        (sqlite3.DatabaseError("database disk image is malformed"), True),
        (sqlite3.DatabaseError("file is not a database"), True),
        (sqlite3.DatabaseError("malformed database schema (calls)"), True),
    ],
)
def test_only_a_broken_file_is_damage(fault: Exception, damage: bool) -> None:
    assert is_damage(fault) is damage


def test_a_locked_history_says_so_and_what_to_do(tmp_path: Path) -> None:
    with History.opened(str(tmp_path)) as made, closing(sqlite3.connect(tmp_path / "history.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        made._connection.execute("PRAGMA busy_timeout = 1")
        with pytest.raises(HistoryUnavailable) as raised:
            made.begin()
        assert raised.value.reason == "database is locked"
        assert str(raised.value).startswith(f"{tmp_path / 'history.db'} cannot be used (database is locked). ")
        with pytest.raises(HistoryUnavailable), made.transaction():
            pass


def test_damage_is_met_in_functions_and_in_generators() -> None:
    with history() as made:
        made.connection.execute("PRAGMA foreign_keys = OFF")
        for table in ("calls", "candidates", "episodes"):
            made.connection.execute(f"DROP TABLE {table}")
        with pytest.raises(DamagedFile, match="no such table"):
            made.product.calls.count()
        with pytest.raises(DamagedFile, match="no such table"):
            list(made.product.calls.failed())
        with pytest.raises(DamagedFile, match="no such table"):
            made.product.candidates.with_status()
        with pytest.raises(DamagedFile, match="no such table"):
            list(made.product.sessions.threads(["s1"]))


def test_a_transaction_is_stored_whole_or_not_at_all() -> None:
    def interrupted(made: History) -> None:
        with made.transaction():
            made.sources.add("claude-code", "/b")
            raise KeyboardInterrupt

    with history() as made:
        with made.product.transaction():
            made.product.sources.add("claude-code", "/a")
        with pytest.raises(KeyboardInterrupt):
            interrupted(made.product)
        assert made.product.sources.offsets() == {"/a": 0}


def test_what_cannot_be_stored_takes_nothing_else_along() -> None:
    def twice(made: Made) -> None:
        with made.product.storing():
            made.product.sources.add("claude-code", "/b")
            made.connection.execute("INSERT INTO sources SELECT * FROM sources")

    with history() as made, made.product.transaction():
        made.product.sources.add("claude-code", "/a")
        with pytest.raises(NotStorable, match=r"^IntegrityError at test_database.py:\d+$"):
            twice(made)
        with pytest.raises(NotStorable, match="UnicodeEncodeError"), made.product.storing():
            made.product.sources.add("claude-code", "\ud800")
        with made.product.storing():
            made.product.sources.add("claude-code", "/c")
        assert made.product.sources.offsets() == {"/a": 0, "/c": 0}


def test_a_candidate_that_cannot_be_read_has_a_status_all_the_same() -> None:
    with history() as made:
        insert = "INSERT INTO candidates VALUES (?, 2, 'wrong-flag', ?, 0.5, 'archived')"
        made.connection.execute(insert, ("broken", '{"aliases": ['))
        made.connection.execute(insert, ("sound", '{"aliases": ["other"]}'))
        names = {each.fingerprint: each.names for each in made.product.candidates.standing()}
        assert names == {"broken": ["broken"], "sound": ["sound", "other"]}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_nothing_is_made_to_read(tmp_path: Path) -> None:
    sentence = r"There is no history yet \(.*history\.db\): run `lessons scan` first\."
    with pytest.raises(NotFound, match=sentence), database.for_reading(str(tmp_path)):
        pass
    assert list(tmp_path.iterdir()) == []


@table("garbage", [b"no database at all " * 100, b"SQLite format 3\0" + b"\xff" * 4080])
def test_garbage_is_told(tmp_path: Path, garbage: bytes) -> None:
    (tmp_path / "history.db").write_bytes(garbage)
    for way in (database.for_reading, database.opened):
        with pytest.raises(DamagedFile, match=r"history\.db .+ \(.+\): `lessons scan"), way(str(tmp_path)):
            pass
    assert (tmp_path / "history.db").read_bytes() == garbage


def test_only_the_owner_reads_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    before = os.umask(0)
    try:
        with database.opened(str(home)) as connection:
            connection.execute("INSERT INTO facts VALUES ('a', 'b')")
            assert {path.name: mode(path) for path in home.iterdir()} == {
                "history.db": 0o600,
                "history.db-wal": 0o600,
                "history.db-shm": 0o600,
            }
    finally:
        os.umask(before)
    assert mode(home) == 0o700


def test_it_is_open_as_it_should_be(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as connection:
        told = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in PRAGMAS}
        assert told == PRAGMAS


PRAGMAS = {"journal_mode": "wal", "busy_timeout": 10_000, "foreign_keys": 1, "secure_delete": 1, "synchronous": 1}


def test_a_rehearsal_leaves_no_trace(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with database.rehearsal(str(home)) as (connection, _):
        connection.execute("INSERT INTO facts VALUES ('a', 'b')")
    assert not home.exists()
    with database.opened(str(home)) as connection:
        connection.execute("INSERT INTO facts VALUES ('a', 'b')")
    with database.rehearsal(str(home)) as (connection, _):
        assert connection.execute("SELECT value FROM facts").fetchone()[0] == "b"
        connection.execute("DELETE FROM facts")
    with database.for_reading(str(home)) as reader:
        assert reader.execute("SELECT count(*) FROM facts").fetchone()[0] == 1


@table(
    ("path", "address"),
    [
        ("/a b/history.db", "file:/a b/history.db?mode=ro"),
        ("/50%/a?#/history.db", "file:/50%25/a%3f%23/history.db?mode=ro"),
        ("C:\\Users\\me/history.db", "file:/C:/Users/me/history.db?mode=ro"),
        ("\\\\server\\share/history.db", "file:////server/share/history.db?mode=ro"),
    ],
)
def test_the_address_of_a_file(path: str, address: str) -> None:
    assert database.address(path) == address


def test_a_check_that_runs_out_of_time_says_so(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as connection:
        assert database.checked(connection, 60.0) == database.CheckedFile([], is_complete=True)
        connection.execute(
            "INSERT INTO facts WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 9999)"
            " SELECT 'name ' || i, 'value' FROM n"
        )
        assert database.checked(connection, 0.0) == database.CheckedFile([], is_complete=False)
        # What comes next on this connection has all the time it needs.
        assert database.checked(connection).faults == []
