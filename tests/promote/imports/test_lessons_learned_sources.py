"""The files and the database of lessons-learned: whatever is in them, they stay as they are and nothing hangs."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lessons.errors import NotFound, Refused
from lessons.promote.imports import lessons_learned
from lessons.promote.imports.review import MOST_DRAFTS
from tests.builders.learned import ENTRIES, database, manifest, row
from tests.tables import table


@table(
    "content",
    [b"", b"{", b"7", b"{}", b'{"lessons": 3}', b"\xff\xfe", b"[" * 100_000, b'{"lessons": [' + b"1," * 2000 + b"1]}"],
)
def test_what_holds_no_lessons_is_one_sentence(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    file.write_bytes(content)
    with pytest.raises(Refused, match=r"^[^\n]*$"):
        lessons_learned.drafts_of_file(str(file))
    assert file.read_bytes() == content


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for name in ("pipe.json", "."):
        with pytest.raises(Refused, match="not a regular file"):
            lessons_learned.drafts_of_file(str(tmp_path / name))
    with pytest.raises(NotFound):
        lessons_learned.drafts_of_file(str(tmp_path / "nothing.json"))


def test_each_lesson_of_a_manifest_is_a_draft(tmp_path: Path) -> None:
    drafts = lessons_learned.drafts_of_file(str(manifest(tmp_path / "m.json")))
    assert [draft.place for draft in drafts] == [f"lesson {key}" for key in ENTRIES]
    assert [draft.name for draft in drafts if draft.refusal] == ["of-one-author-gh78", "switched-off", "lesson 01NONE"]


def test_each_lesson_of_a_list_is_a_draft(tmp_path: Path) -> None:
    (tmp_path / "l.json").write_text(json.dumps({"lessons": [row("a"), row("b")]}))
    assert [draft.place for draft in lessons_learned.drafts_of_file(str(tmp_path / "l.json"))] == [
        "lesson 1",
        "lesson 2",
    ]


@table(
    "script",
    [
        "CREATE TABLE other (x)",
        "CREATE TABLE lessons (x)",
        "CREATE VIEW lessons AS WITH RECURSIVE n(problem, solution) AS"
        " (SELECT 1, 1 UNION ALL SELECT problem + 1, 1 FROM n) SELECT * FROM n",
        "CREATE TABLE lessons (problem, solution); INSERT INTO lessons VALUES (zeroblob(2000000), '')",
        "CREATE TABLE lessons (problem, solution); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
        f" WHERE i <= {MOST_DRAFTS}) INSERT INTO lessons SELECT i, i FROM n",
    ],
)
def test_a_strange_database_is_one_sentence(script: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "l.db")) as connection:
        connection.executescript(script)
    with pytest.raises(Refused, match=r"^[^\n]*$"):
        lessons_learned.drafts_of_database(str(tmp_path / "l.db"))


@table("content", [b"", b"SQLite format 3\0", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_broken_database_is_one_sentence(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "l.db").write_bytes(content)
    with pytest.raises(Refused, match=r"^[^\n]*$"):
        lessons_learned.drafts_of_database(str(tmp_path / "l.db"))


def test_the_database_stays_as_it_is_also_while_it_is_in_use(tmp_path: Path) -> None:
    path = database(tmp_path / "lessons.db", row("a"), row("b", status="archived"))
    with closing(sqlite3.connect(path, isolation_level=None)) as user:
        user.execute("PRAGMA journal_mode = WAL")
        user.execute("UPDATE lessons SET slug = 'renamed' WHERE slug = 'a'")
        before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
        drafts = lessons_learned.drafts_of_database(str(path))
        assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before
    assert [(draft.place, draft.name, bool(draft.refusal)) for draft in drafts] == [
        ("row 1", "renamed", False),
        ("row 2", "b", True),
    ]
    assert drafts[0].document["triggers"] == {"toolNames": ["Edit"], "pathPatterns": ["**/*.lock"]}
