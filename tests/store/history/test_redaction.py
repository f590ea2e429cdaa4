"""Texts that an older version stored with a secret on a continued line: the next scan redacts them, once."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from lessons.errors import HistoryUnavailable
from lessons.promote.queue import export
from lessons.scan.run import Options, run
from lessons.store.history import backups, recovery, search
from lessons.store.history.history import History
from lessons.store.history.redaction import VERSION
from lessons.store.history.search import Query
from tests.builders.transcript import Session
from tests.store.forgettable import files_with

PLACE, OPTION, SECRET = "leave-it-out", "-pS3cretMysqlPw77", "S3cretMysqlPw77"
COMMAND = f"mysql -h db \\\n  -u root \\\n  {PLACE} shop"
CLEAN = COMMAND.replace(PLACE, "-p[redacted:password]")
TAG = "#lesson\ntool: Bash\nproblem: {0}\nsolution: never write {0}\n#/lesson"
TEXTS = {
    "calls": ("command", "arguments", "error"),
    "prompts": ("text",),
    "hook_contexts": ("text",),
    "diagnoses": ("text",),
    "tags": ("fields",),
    "marks": ("row",),
    "sessions": ("title",),
    "candidates": ("document",),
    "answers": ("document", "reasons"),
    "episodes": ("signature",),
    "corrections": ("rule",),
}


def told() -> Session:
    """One of everything that the history keeps, each with the command."""
    session = Session("told")
    session.prompt(f"Run {COMMAND} today")
    session.say(TAG.format(COMMAND))
    call = session.call("Bash", {"command": COMMAND, "description": f"first:\n{COMMAND}"})
    session.hook_context(call, f"Mind this: {COMMAND}")
    error = "mysql: error: unrecognized option '--tabel'"
    session.result(call, f"Exit code 1\n{COMMAND}\n{error}", error=True)
    session.say(f"The option is wrong. I change it. {COMMAND}")
    wrong = session.call("Bash", {"command": f"{COMMAND} --tabel"})
    session.result(wrong, f"Exit code 1\n{error}", error=True)
    session.result(session.call("Bash", {"command": f"{COMMAND} --table"}), "ok")
    session.result("toolu_unknown", f"Exit code 3\nerror: no call for {COMMAND}", error=True)
    session.title(COMMAND)
    return session


@contextmanager
def database(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def scan(home: Path) -> None:
    run(str(home), Options([str(home.parent / "projects")]))
    export(str(home))


def age(path: Path) -> None:
    """Makes the history one of an older version, in which the secret was stored."""
    with database(path) as connection:
        for name, columns in TEXTS.items():
            for column in columns:
                connection.execute(f"UPDATE {name} SET {column} = replace({column}, ?, ?)", (PLACE, OPTION))
        search.rebuild(connection)
        connection.execute("DELETE FROM facts WHERE name LIKE 'redaction%'")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data home of an older version, with the secret in the history, the exported candidates and a backup."""
    home = tmp_path / "home"
    told().write(tmp_path / "projects")
    scan(home)
    age(home / "history.db")
    with database(home / "history.db") as connection:
        document = json.dumps({"words": COMMAND.replace(PLACE, OPTION)})
        answer = "SELECT fingerprint, 'pending', ?1, ?1, 'toy', '', 1, '[]' FROM candidates LIMIT 1"
        connection.execute(f"INSERT INTO answers {answer}", (document,))
    export(str(home))
    backups.create(str(home))
    return home


def column(path: Path, sql: str) -> list[Any]:
    with database(path) as connection:
        return [row[0] for row in connection.execute(sql)]


def test_the_secret_is_in_every_kind_of_file_before(home: Path) -> None:
    found = files_with(home, SECRET)
    assert {"history.db", "cross-project-candidates.json"} < found.keys()
    assert any(name.startswith("backups/") for name in found)


def test_the_next_scan_removes_it_from_every_byte(home: Path) -> None:
    before = {name: column(home / "history.db", f"SELECT count(*) FROM {name}") for name in TEXTS}
    scan(home)
    assert files_with(home, SECRET) == {}
    assert {name: column(home / "history.db", f"SELECT count(*) FROM {name}") for name in TEXTS} == before
    assert column(home / "history.db", "SELECT command FROM calls ORDER BY id")[0] == CLEAN
    arguments = column(home / "history.db", "SELECT arguments FROM calls ORDER BY id")[0]
    assert json.loads(arguments) == {"command": CLEAN, "description": f"first:\n{CLEAN}"}
    assert column(home / "history.db", "SELECT text FROM prompts") == [f"Run {CLEAN} today"]
    assert column(home / "history.db", "SELECT DISTINCT program FROM calls") == ["mysql"]
    exported = json.loads((home / "cross-project-candidates.json").read_text())
    assert len(exported["candidates"]) == before["candidates"][0]


def test_the_search_finds_what_is_left(home: Path) -> None:
    scan(home)
    with History.for_reading(str(home)) as history:
        assert history.search(Query(["mysql", "shop"])).total > 0
        assert history.search(Query([SECRET])).total == 0


def test_a_history_is_redacted_once(home: Path) -> None:
    scan(home)
    with database(home / "history.db") as connection:
        connection.execute("UPDATE prompts SET text = ?", (COMMAND.replace(PLACE, OPTION),))
    scan(home)
    assert column(home / "history.db", "SELECT text FROM prompts") == [COMMAND.replace(PLACE, OPTION)]


def test_an_interrupted_pass_changes_nothing_and_is_repeated(home: Path) -> None:
    with database(home / "history.db") as connection:
        connection.execute("CREATE TRIGGER stop BEFORE UPDATE ON answers BEGIN SELECT RAISE(ABORT, 'stop'); END")
    before = column(home / "history.db", "SELECT command FROM calls ORDER BY id")
    with pytest.raises((HistoryUnavailable, sqlite3.IntegrityError)):
        scan(home)
    assert column(home / "history.db", "SELECT command FROM calls ORDER BY id") == before
    with database(home / "history.db") as connection:
        connection.execute("DROP TRIGGER stop")
    scan(home)
    assert files_with(home, SECRET) == {}


def test_a_backup_can_be_restored_and_is_mined_again(home: Path) -> None:
    before = column(home / "history.db", "SELECT fingerprint FROM candidates ORDER BY 1")
    scan(home)
    recovery.restore(str(home), recovery.latest(str(home)))
    assert files_with(home, SECRET) == {}
    scan(home)
    assert column(home / "history.db", "SELECT fingerprint FROM candidates ORDER BY 1") == before
    assert files_with(home, SECRET) == {}


def test_a_damaged_backup_is_skipped(home: Path) -> None:
    path = next((home / "backups").rglob("history.db"))
    path.write_bytes(b"SQLite format 3\0" + b"x" * 9_000)
    scan(home)
    assert files_with(home, SECRET) == {}
    assert VERSION in column(home / "history.db", "SELECT value FROM facts WHERE name = 'redactionOfBackups'")


def test_a_backup_that_is_in_use_is_redacted_by_the_next_scan(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = next((home / "backups").rglob("history.db"))
    connect = sqlite3.connect
    with database(path) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr("sqlite3.connect", lambda *given, **named: connect(*given, **{**named, "timeout": 0.1}))
        scan(home)
        monkeypatch.undo()
    assert any(name.startswith("backups/") for name in files_with(home, SECRET))
    scan(home)
    assert files_with(home, SECRET) == {}
