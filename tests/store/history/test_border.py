"""SQLite's errors leave the history as ours, from every method and from every way to open it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lessons.errors import DamagedFile, HistoryUnavailable
from lessons.store.history.border import NotStorable, is_damage
from lessons.store.history.call_filter import CallFilter, Texts
from lessons.store.history.history import History
from tests.store.history.history import History as Made
from tests.store.history.history import history

EVERY_CALL = CallFilter([Texts("every call")])


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
            list(made.product.calls.matching_rows(EVERY_CALL, []))
        with pytest.raises(DamagedFile, match="no such table"):
            made.product.candidates.with_status()
        with pytest.raises(DamagedFile, match="no such table"):
            list(made.product.threads(["s1"]))


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
        with pytest.raises(NotStorable, match=r"^IntegrityError at test_border.py:\d+$"):
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
