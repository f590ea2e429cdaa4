"""opencode's sessions: what must not be read or reported, and that every way of reading gives the same result."""

import json
import os
import sqlite3
from pathlib import Path

import pytest

from lessons.agents.opencode.transcript import STORE, Sessions
from lessons.scan.discover import Root, agents_of
from lessons.scan.run import Options, run
from lessons.scan.scan import Request, read
from lessons.store.consent import consent_of
from lessons.store.history.history import History
from tests.builders.opencode_store import Database, eventful, shell, tool, words
from tests.flows.scanning import scan
from tests.tables import table

AGENT = "opencode"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return (tmp_path / "share" / "opencode").resolve()


def calls(home: Path) -> dict[str, str]:
    with sqlite3.connect(f"file:{home}/history.db?mode=ro", uri=True) as connection:
        return dict(connection.execute("SELECT tool_use_id, outcome FROM calls ORDER BY 1").fetchall())


@table("name", ["auth.json", "other.db", "opencode.db.bak", "storage/session/p1/ses_1.json", "a.jsonl"])
def test_other_files_are_no_sessions(name: str) -> None:
    assert STORE.store_of(f"/share/opencode/{name}") is None


@table(
    "name, store",
    [
        ("opencode.db", "opencode.db"),
        ("opencode.db-wal", "opencode.db"),
        ("opencode.db#ses_1", "opencode.db"),
        ("opencode-dev.db", "opencode-dev.db"),
    ],
)
def test_what_belongs_to_a_store(name: str, store: str) -> None:
    assert STORE.store_of(f"/share/opencode/{name}") == f"/share/opencode/{store}"
    assert Sessions("opencode").stem("/share/opencode/opencode.db#ses_1") == "ses_1"


def test_a_locked_a_damaged_and_a_strange_database_are_told_and_the_others_are_read(
    store: Path, tmp_path: Path
) -> None:
    eventful(store / "opencode.db").close()
    (store / "opencode-damaged.db").write_bytes(b"SQLite format 3\0" + b"\7" * 5000)
    sqlite3.connect(store / "opencode-strange.db").execute("CREATE TABLE other (x)").connection.close()
    content = (store / "opencode-strange.db").read_bytes()
    (store / "opencode-bytes.db").write_bytes(content.replace(b"CREATE", b"CRE\xafTE"))
    os.mkfifo(store / "opencode-pipe.db")
    locked = sqlite3.connect(store / "opencode-locked.db", isolation_level=None)
    locked.execute("CREATE TABLE session (id)")
    locked.execute("PRAGMA locking_mode = EXCLUSIVE")
    locked.execute("PRAGMA journal_mode = WAL")
    locked.execute("BEGIN EXCLUSIVE")
    locked.execute("INSERT INTO session VALUES (1)")
    coverage = run(str(tmp_path / "home"), Options([str(store)], (AGENT,))).coverage
    locked.close()
    assert (coverage.files.unreadable, coverage.files.read) == (5, 3)
    reasons = (
        "could not be read (SQLite says: ",
        "could not be read (it is not a regular file)",
        "could not be read (it has other tables than opencode's)",
    )
    assert all(any(reason in sentence for reason in reasons) for sentence in coverage.problems)
    assert coverage.calls["total"] == 9


def test_a_giant_row_costs_only_itself(store: Path, tmp_path: Path) -> None:
    database = eventful(store / "opencode.db")
    text = json.dumps(words("x" * (20 << 20)))
    database.connection.execute("UPDATE part SET data = ? WHERE rowid = 3", (text,))
    assert database.connection.execute("SELECT changes()").fetchone() == (1,)
    database.close()
    coverage = run(str(tmp_path / "home"), Options([str(store)], (AGENT,))).coverage
    assert (coverage.files.unreadable, coverage.malformed, coverage.calls["total"]) == (0, 1, 9)


def test_a_view_without_end_is_not_read(store: Path, tmp_path: Path) -> None:
    eventful(store / "opencode.db").close()
    with sqlite3.connect(store / "opencode.db") as connection:
        connection.executescript(
            "ALTER TABLE session RENAME TO old; CREATE VIEW session AS WITH RECURSIVE n(i) AS"
            " (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'ses_' || i AS id, NULL AS parent_id, '/shop' AS"
            " directory, '' AS title, '' AS version, 1 AS time_created, 1 AS time_updated FROM n;"
        )
    found = run(str(tmp_path / "home"), Options([str(store)], (AGENT,))).coverage
    assert found.files.unreadable == 1 and "other tables" in found.problems[0]


def test_nothing_is_left_beside_a_database_that_nobody_writes(store: Path, tmp_path: Path) -> None:
    eventful(store / "opencode.db").close()
    before = sorted(os.listdir(store))
    scan(tmp_path / "home", store, agent=AGENT)
    assert sorted(os.listdir(store)) == before == ["opencode.db"]


def test_what_is_not_finished_is_not_told(store: Path, tmp_path: Path) -> None:
    database = Database(store / "opencode.db")
    database.session("ses_one")
    pending = tool("bash", "call_1", "pending")
    database.said("ses_one", pending, words("#lesson half a", is_done=False), {"type": "step-start"}, {"type": "new"})
    coverage = scan(tmp_path / "home", store, agent=AGENT)
    assert (coverage.calls["total"], coverage.unknown_types) == (0, {"new": 1})


def test_every_kind_of_end(store: Path, tmp_path: Path) -> None:
    eventful(store / "opencode.db")
    coverage = scan(tmp_path / "home", store, agent=AGENT)
    assert (coverage.files.read, coverage.malformed, coverage.segments) == (3, 0, 4)
    assert coverage.calls == {
        "total": 9,
        "ok": 2,
        "failed": 6,
        "refused": 1,
        "cancelled": 0,
        "interrupted": 0,
        "unknown": 0,
    }
    with sqlite3.connect(tmp_path / "home" / "history.db") as connection:
        rows = connection.execute("SELECT session_id, agent_id, sidechain, tool, command FROM calls WHERE sidechain")
        assert rows.fetchall() == [("ses_one", "ses_two", 1, "Bash", "ls nowhere")]
        prompts = connection.execute("SELECT text, sureness FROM prompts").fetchall()
    assert prompts == [("Make the tests pass.", "likely")] or ("Look around.", "no") in prompts


def test_a_row_that_changes_completes_its_call_and_nothing_else(store: Path, tmp_path: Path) -> None:
    database = Database(store / "opencode.db")
    database.session("ses_one")
    database.session("ses_two")
    database.said("ses_two", shell("ls", "call_9"))
    [part] = database.said("ses_one", tool("bash", "call_1", "pending"))
    home = tmp_path / "home"
    assert scan(home, store, agent=AGENT).files.read == 2
    database.change(part, tool("bash", "call_1", "running", input={"command": "make tset"}))
    assert scan(home, store, agent=AGENT).files.read == 1, "the other session is as it was"
    assert calls(home) == {"call_1@ses_one": "unknown", "call_9@ses_two": "ok"}
    database.change(part, shell("make tset", "call_1", 2, "No rule"))
    assert scan(home, store, agent=AGENT).files.read == 1
    assert calls(home) == {"call_1@ses_one": "failed", "call_9@ses_two": "ok"}
    assert scan(home, store, agent=AGENT).files.read == 0
    database.delete(part)
    scan(home, store, agent=AGENT)
    assert calls(home)["call_1@ses_one"] == "failed", "what was read stays"


def test_a_watcher_is_told_of_the_log_beside_the_database(store: Path, tmp_path: Path) -> None:
    database = eventful(store / "opencode.db")
    home = str(tmp_path / "home")
    written = [str(store / name) for name in ("opencode.db-wal", "opencode.db", "auth.json", "none/opencode.db")]
    with History.opened(home) as history:
        request = Request([Root(str(store), (AGENT,))], consent_of(home), files=written)
        assert read(history, request).files.read == 3
        assert read(history, request).files.read == 0
        database.said("ses_three", shell("ls", "call_7"))
        assert read(history, request).files.read == 1
    roots = [Root(str(store), (AGENT,))]
    assert agents_of(f"{store}/opencode.db-wal", roots) == (AGENT,)
    assert agents_of(f"{store}/snapshot/opencode.db", roots) == ()


def test_columns_of_any_type_cost_their_part_alone(store: Path, tmp_path: Path) -> None:
    database = Database(store / "opencode.db")
    database.session("ses_1")
    message = database.message("ses_1")
    database.part("ses_1", message, shell("ls", "call_1_of_this_session"))
    insert = database.connection.execute
    for number, column in enumerate((5, 1.5, b"\xff\xfe", "{", "[]", "null")):
        insert("INSERT INTO part VALUES (?, ?, 'ses_1', 'x', 1e300, ?)", (f"prt_odd{number}", message, column))
    insert("INSERT INTO session VALUES ('ses_2', 'p', 'ses_2', '/x', 't', 'v', -9e999, 9e999)")
    insert("INSERT INTO session VALUES (7, 'p', NULL, X'FF', 3, 4, 'never', 9223372036854775807)")
    database.connection.close()
    scan(tmp_path / "home", store, agent=AGENT)
    assert list(calls(tmp_path / "home").values()) == ["ok"]
