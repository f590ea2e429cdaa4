"""An id can be looked up in a store, and is otherwise unchanged."""

import json
import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from lessons.agents.names import plain_id
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
