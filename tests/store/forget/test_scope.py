"""A folder that is to be forgotten: SQL and Python agree on what lies in it, in the spelling of either system."""

import sqlite3
from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st

from lessons.store.forget.scope import ForgetScope
from lessons.store.forgotten import Forgotten, digest
from tests.tables import table

folders = st.text(st.sampled_from("aC:/\\"), max_size=8)


def finds(scope: ForgetScope, folder: str) -> bool:
    condition, values = scope.below("?1")
    numbered = condition.replace("= ?", "= ?3").replace(", ?)", ", ?2)")
    with closing(sqlite3.connect(":memory:")) as connection:
        return bool(connection.execute(f"SELECT {numbered}", (folder, *values)).fetchone()[0])


@table(
    ("wished", "folder", "inside"),
    [
        ("/shop", "/shopping", False),
        ("/shop/api", "/shop", False),
        ("C:\\shop", "C:\\shopping", False),
        ("C:\\shop", "D:\\shop", False),
        ("/odd\\name", "/odd/name", False),
        ("/shop", "/shop", True),
        ("/shop/", "/shop/api", True),
        ("/", "/shop", True),
        ("C:\\shop", "C:\\shop", True),
        ("c:/shop", "C:\\shop\\api", True),
        ("C:\\shop\\", "c:/shop/api", True),
    ],
)
def test_what_lies_in_a_folder(wished: str, folder: str, inside: bool) -> None:
    scope = ForgetScope(folders=(wished,))
    assert scope.covers_folder(folder) is inside
    assert finds(scope, folder) is inside


@given(folders, folders)
def test_both_ways_agree(wished: str, folder: str) -> None:
    scope = ForgetScope(folders=(wished,))
    if wished[1:2] == ":" or wished[:2] == "\\\\" or (folder[1:2] != ":" and folder[:2] != "\\\\"):
        assert finds(scope, folder) is scope.covers_folder(folder)


def test_a_forgotten_folder_of_windows_is_known_in_every_spelling() -> None:
    forgotten = Forgotten(projects={digest("c:/Users/me/shop"): "2026-02-01"})
    for folder in ("C:\\Users\\me\\shop", "c:\\Users\\me\\shop\\src", "C:/Users/me/shop"):
        assert forgotten.covers("s", folder, "2026-01-01"), folder
    assert not forgotten.covers("s", "C:\\Users\\me\\shopping", "2026-01-01")
