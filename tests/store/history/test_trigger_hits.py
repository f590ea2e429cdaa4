"""What is stored of a trigger is used only where every change since is still known."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from lessons.store.history import database, trigger_hits
from lessons.store.history.history import History
from lessons.store.history.row_numbers import RowNumbers
from lessons.store.history.trigger_hits import Hits, Looked
from tests.builders.past import Past, fill


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        database.migrate(made, ":memory:")
        fill(made, [Past(command="ls"), Past(command="cat a"), Past(command="rg b")])
        yield made


def stored(connection: sqlite3.Connection) -> list[int] | None:
    found = History(connection, "").trigger_hits.stored("t")
    return None if found is None else found.rows.all()


def put(connection: sqlite3.Connection, looked: Looked | None = None) -> None:
    hits = History(connection, "").trigger_hits
    hits.put("t", Hits(RowNumbers([1, 2]), looked or hits.extent()))


@pytest.mark.parametrize("change", ["UPDATE trigger_hits SET hits = '[['", "DELETE FROM trigger_hits"])
def test_what_does_not_hold_any_more(change: str, connection: sqlite3.Connection) -> None:
    put(connection)
    assert stored(connection) == [1, 2]
    connection.execute(change)
    assert stored(connection) is None


def test_changes_since(connection: sqlite3.Connection) -> None:
    hits = History(connection, "").trigger_hits
    put(connection)
    before = hits.extent()
    assert (before, hits.changed_since(before)) == (Looked(3, 0), [])
    connection.execute("UPDATE calls SET position = 9, error_fingerprint = 'f'")  # no trigger looks at those
    assert hits.changed_since(before) == []
    connection.execute("UPDATE calls SET outcome = 'failed' WHERE id > 1")
    connection.execute("UPDATE calls SET error = 'no' WHERE id = 3")
    assert sorted(hits.changed_since(before)) == [2, 3]
    assert hits.changed_since(hits.extent()) == []
    connection.execute("DELETE FROM calls WHERE id = 1")
    assert sorted(hits.changed_since(before)) == [1, 2, 3]
    assert stored(connection) == [1, 2]


def test_what_lost_a_change_is_neither_used_nor_stored(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    hits = History(connection, "").trigger_hits
    before = hits.extent()
    put(connection)
    connection.execute("UPDATE calls SET outcome = 'failed'")
    monkeypatch.setattr(trigger_hits, "_MOST_CHANGES", 3)
    hits.prune()
    assert stored(connection) == [1, 2]  # all three changes are still known
    monkeypatch.setattr(trigger_hits, "_MOST_CHANGES", 0)
    hits.prune()
    assert stored(connection) is None
    put(connection, before)
    assert stored(connection) is None
    put(connection)
    assert stored(connection) == [1, 2]


def test_what_was_not_asked_for_longest_is_deleted(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    hits = History(connection, "").trigger_hits
    put(connection)
    hits.put("older", Hits(RowNumbers(), Looked(2, 0)))
    monkeypatch.setattr(trigger_hits, "_MOST_TRIGGERS", 1)
    hits.prune()
    assert (stored(connection), hits.stored("older")) == ([1, 2], None)
