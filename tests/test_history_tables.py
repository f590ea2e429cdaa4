"""docs/HISTORY.md is up to date, and names every table and column of a real history."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from docs.history_tables import document
from lessons.store.history.schema import SCHEMA

CHECKED_IN = Path(__file__).parents[1] / "docs" / "HISTORY.md"


def test_the_page_has_not_drifted() -> None:
    assert CHECKED_IN.read_text(encoding="utf-8") == document(), "run `make docs`"


def test_every_table_and_column_is_in_it() -> None:
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", document(), re.MULTILINE | re.DOTALL))
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        tables = {
            row[0]
            for row in connection.execute(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'"
            )
        } - {"sqlite_schema", "sqlite_sequence"}
        assert sections.keys() == tables
        for table in tables:
            for column in connection.execute("SELECT name FROM pragma_table_info(?)", (table,)):
                assert column[0] in sections[table], f"{table}.{column[0]}"
