"""An id can be looked up in a store, and is otherwise unchanged."""

import json
import os
import sqlite3
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lessons.agents.names import plain_id, real_path, storable_path
from tests.tables import table


@table(
    ("given_id", "expected"),
    [
        (None, ""),
        ("", ""),
        ("\0", ""),
        ("toolu_01", "toolu_01"),
        ("a b\u00a0\u200bé", "a b\u00a0\u200bé"),
        ("a\0b\tc\x7fd", "abcd"),
        ("x" * 301, "x" * 300),
    ],
)
def test_what_is_made_of_an_id(given_id: str | None, expected: str) -> None:
    assert plain_id(given_id) == expected


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_id_is_found_in_a_list_of_ids(given_id: str) -> None:
    name = plain_id(given_id)
    database = sqlite3.connect(":memory:")
    [(found,)] = database.execute("SELECT value FROM json_each(?)", (json.dumps([name], ensure_ascii=False),))
    database.close()
    assert found == name


@table("name", [b"plain", "é".encode(), b"caf\xe9 \xff", b"\\xe9", b"\\xe9 \xe9"])
def test_a_stored_path_leads_to_its_file(name: bytes, tmp_path: Path) -> None:
    path = os.path.join(os.fsencode(tmp_path), name)
    os.close(os.open(path, os.O_CREAT))
    stored = storable_path(os.fsdecode(path))
    assert stored.encode() and (real_path(stored) == os.fsdecode(path)) == (name != b"\\xe9 \xe9")
    assert real_path(stored + "x") == stored + "x"
