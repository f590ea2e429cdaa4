"""Today's tables: a new file has them, and a file of any earlier version gets them and loses no row."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lessons.errors import Refused
from lessons.store.history import database
from lessons.store.history.history import History
from lessons.store.history.schema import SCHEMA, VERSION
from tests.store.history import earlier
from tests.tables import table

OPEN = "import sys; from lessons.store.history import database\nwith database.opened(sys.argv[1]): print('open')"
HALF = """
import sqlite3, sys, time
from lessons.store.history import database

database._START_INDEX = "SELECT half()"

def half():
    print("half", flush=True)
    time.sleep(60)

connection = sqlite3.connect(sys.argv[1] + "/history.db", isolation_level=None)
connection.execute("PRAGMA journal_mode = WAL")
connection.execute("PRAGMA cache_size = 1")
connection.create_function("half", 0, half)
database.bring_up_to_date(connection, "history.db")
"""


def layout(file: Path) -> dict[str, object]:
    """Every table with its columns, every index and view with its SQL."""
    with closing(sqlite3.connect(file)) as connection:
        objects = connection.execute(database._OBJECTS).fetchall()
        return {
            name: database._columns(connection, name) if kind == "table" else "".join(sql.split())
            for kind, name, sql in objects
        }


def version(home: Path) -> int:
    with closing(sqlite3.connect(home / "history.db")) as connection:
        return database.version_of(connection)


@pytest.fixture(scope="module")
def todays(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    file = tmp_path_factory.mktemp("today") / "today.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(SCHEMA)
    return layout(file)


@table("number", range(len(earlier.STEPS) + 1))
def test_a_file_of_any_earlier_version_gets_todays_tables_and_keeps_its_rows(
    number: int, tmp_path: Path, todays: dict[str, object]
) -> None:
    file = tmp_path / f"{number}" / "history.db"
    file.parent.mkdir()
    earlier.make(file, number, with_rows=number > 0)
    before = earlier.rows_of(file)
    with History.opened(str(file.parent)) as history:
        assert history.checked().faults == [] and history.version() == VERSION
        assert history.calls.count() == (12 if number else 0)
    assert layout(file) == todays
    after = earlier.rows_of(file)
    assert {name: after[name] for name in before} == before
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        found = connection.execute("SELECT count(*) FROM words WHERE words MATCH 'diff'").fetchone()[0]
        assert found == (12 if number else 0)


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as connection:
        connection.execute("INSERT INTO facts VALUES ('a', 'b')")
    for _ in range(2):
        with database.opened(str(tmp_path)) as connection:
            assert connection.execute("SELECT * FROM facts").fetchall() == [("a", "b")]


def test_a_newer_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = (tmp_path / "history.db").read_bytes()
    sentence = r"history\.db was written by a newer lessons \(tables \d+\): update lessons\."
    with pytest.raises(Refused, match=sentence), database.opened(str(tmp_path)):
        pass
    assert (tmp_path / "history.db").read_bytes() == before


@table("number", [0, 7])
def test_a_change_that_was_killed_half_way_is_made_again(
    number: int, tmp_path: Path, todays: dict[str, object]
) -> None:
    home = tmp_path / f"{number}"
    home.mkdir()
    earlier.make(home / "history.db", number, with_rows=number > 0)
    before = earlier.rows_of(home / "history.db")
    with subprocess.Popen([sys.executable, "-c", HALF, str(home)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "half\n"
        process.send_signal(signal.SIGKILL)
    assert version(home) == number
    with database.opened(str(home)):
        pass
    assert layout(home / "history.db") == todays
    assert earlier.rows_of(home / "history.db")["calls" if number else "facts"] == before.get("calls", [])


def test_another_process_may_be_faster(tmp_path: Path, todays: dict[str, object]) -> None:
    """The other one is in time between the look at the version and the beginning of the transaction."""
    path = str(tmp_path / "history.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as ours:

        def the_other(statement: str) -> None:
            if statement.startswith("BEGIN"):
                ours.set_trace_callback(None)
                with database.opened(str(tmp_path)):
                    pass

        ours.set_trace_callback(the_other)
        database.bring_up_to_date(ours, path)
    assert layout(tmp_path / "history.db") == todays


def test_several_processes_open_an_existing_file_together(tmp_path: Path) -> None:
    earlier.make(tmp_path / "history.db", 11, with_rows=True)
    command = [sys.executable, "-c", OPEN, str(tmp_path)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate(timeout=60)[0] for process in started] == ["open\n"] * 4
    assert version(tmp_path) == VERSION


def test_the_names_of_earlier_candidates_are_kept_by_their_calls(tmp_path: Path) -> None:
    earlier.make(tmp_path / "history.db", 12)
    with closing(sqlite3.connect(tmp_path / "history.db", isolation_level=None)) as connection:
        for name, tier, document in (
            ("fix-1", 2, '{"aliases": ["fix-0"]}'),
            ("fix-2", 2, "{}"),
            ("fix-3", 2, "{no JSON"),
            ("say-1", 3, "{}"),
        ):
            connection.execute(
                "INSERT INTO candidates VALUES (?, ?, 'wrong-flag', ?, 0.5, 'archived')", (name, tier, document)
            )
            connection.execute(
                "INSERT INTO evidence VALUES (?, 's1', ?, 0, ?, '', '', '/p', '', '/a')", (name, name, f"call-{name}")
            )
    with database.opened(str(tmp_path)) as connection:
        found = connection.execute("SELECT tool_use_id, fingerprint FROM earlier_names ORDER BY 1, 2").fetchall()
    assert found == [("call-fix-1", "fix-0"), ("call-fix-1", "fix-1"), ("call-fix-2", "fix-2"), ("call-fix-3", "fix-3")]
