"""The comparison itself: it detects every change of a history except row numbers."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.flows.eventful import days
from tests.flows.scanning import in_one_go
from tests.flows.tables import Tables, differences, tables


@pytest.fixture
def once(tmp_path: Path) -> Tables:
    days(tmp_path / "root")
    return in_one_go(tmp_path / "root", tmp_path / "home")


def after(home: Path, *statements: str) -> Tables:
    with closing(sqlite3.connect(home / "history.db", isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    return tables(home, home.parent / "root")


@pytest.mark.parametrize(
    ("change", "table"),
    [
        ("UPDATE calls SET outcome = 'ok' WHERE outcome = 'failed'", "calls"),
        ("UPDATE calls SET segment = 7 WHERE id = 1", "calls"),
        ("DELETE FROM known WHERE key = (SELECT min(key) FROM known)", "known"),
        ("UPDATE segments SET sealed = 1 - sealed WHERE id = 1", "segments"),
        ("UPDATE progress SET end = end + 1", "progress"),
        ("INSERT INTO words (rowid, text) VALUES (3, 'one word more')", "words"),
        ("UPDATE evidence SET number = number + 1", "evidence"),
    ],
)
def test_a_change_is_seen(once: Tables, tmp_path: Path, change: str, table: str) -> None:
    found = differences(once, after(tmp_path / "home", change))
    assert [line.partition(":")[0] for line in found if not line.startswith(" ")] == [table]
    assert len(found) > 1


def test_numbers_of_rows_and_the_clock_are_not(once: Tables, tmp_path: Path) -> None:
    changes = (
        "UPDATE sources SET inode = 1, modified = 2",
        "UPDATE hook_contexts SET id = id + 1000",
        "UPDATE tags SET id = id + 1000",
        "UPDATE facts SET value = 'yesterday'",
    )
    assert differences(once, after(tmp_path / "home", *changes)) == []
