"""decisions.jsonl: only ever added to, whole after a crash, and the truth about every candidate."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.store import decisions
from lessons.store.decisions import Decision
from lessons.store.history.history import History
from tests.builders.candidates import put
from tests.store.history.history import history


def decision(name: str, action: decisions.Action = "promoted", mark: str = "mined", **about: str) -> Decision:
    return Decision(time="2026-01-01T00:00:00Z", id=name, action=action, fingerprint=mark, **about)  # type: ignore[arg-type]


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with history() as made:
        yield made.connection


def lessons_name(home: str, *marks: str) -> None:
    """lessons.json holds one lesson that was made of these candidates."""
    record = {"id": "one", "slug": "one", "fingerprints": list(marks)}
    (Path(home) / "lessons.json").write_text(json.dumps({"lessons": [record] if marks else []}))


def statuses(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT fingerprint, status FROM candidates"))


def test_other_lines_are_no_decisions_about_candidates(home: str) -> None:
    decisions.record(home, "archived", "some-slug", "why")
    decisions.record(home, "muted", "some-slug")
    assert decisions.read(home) == []


def test_a_reason_may_have_bytes_that_are_no_text(home: str) -> None:
    decisions.record(home, "archived", "some-slug", "caf\udce9")
    assert [note.reason for note in decisions.notes(home)] == ["caf?"]


def test_what_was_written_is_read_in_its_order_and_once(home: str) -> None:
    first, second = decision("a", slug="x"), decision("b", "archived", "other", reason='with "quotes" {"time": 1}')
    decisions.append(home, [first])
    decisions.append(home, [first, second])
    assert decisions.read(home) == [first, second]


@given(cut=st.integers(min_value=0, max_value=400), data=st.binary(max_size=40))
def test_a_torn_line_costs_only_itself(tmp_path_factory: pytest.TempPathFactory, cut: int, data: bytes) -> None:
    home = tmp_path_factory.mktemp("torn")
    file = home / "decisions.jsonl"
    decisions.append(str(home), [decision("a"), decision("b", "archived", "other")])
    whole = file.read_bytes()
    torn = whole[: max(0, len(whole) - cut)]
    file.write_bytes(torn + data)
    left = [each.id for each in decisions.read(str(home))]
    assert left == [name for name in ("a", "b") if name in left]
    decisions.append(str(home), [decision("c", "merged", "third")])
    assert [each.id for each in decisions.read(str(home))][-1] == "c"
    decisions.record(str(home), "muted", "some-slug")
    assert [each.id for each in decisions.read(str(home))][-1] == "c"


def test_what_a_lesson_names_is_promoted_and_nothing_else(home: str, connection: sqlite3.Connection) -> None:
    for mark in ("mined", "other", "untouched", "joined"):
        put(connection, mark)
    decisions.append(home, [decision("a"), decision("b", "archived", "other"), decision("c", "merged", "joined")])
    lessons_name(home, "mined", "joined")
    decisions.apply(History(connection, home))
    decided = {"mined": "promoted", "other": "archived", "joined": "merged"}
    assert decisions.statuses(home) == decided
    assert statuses(connection) == {**decided, "untouched": "candidate"}
    lessons_name(home, "untouched")  # a person has changed the file
    decisions.apply(History(connection, home))
    assert statuses(connection) == {
        "mined": "candidate", "other": "archived", "untouched": "promoted", "joined": "candidate"
    }  # fmt: skip
    decisions.append(home, [decision("d", "undone", "other", undoes="b")])
    decisions.apply(History(connection, home))
    assert statuses(connection)["other"] == "candidate"


def test_a_damaged_lesson_file_changes_no_status(home: str, connection: sqlite3.Connection) -> None:
    put(connection, "mined", status="promoted")
    (Path(home) / "lessons.json").write_text("{")
    decisions.apply(History(connection, home))
    assert statuses(connection) == {"mined": "promoted"}


def test_odd_records_name_nothing_and_hide_no_other(home: str) -> None:
    named = {"id": "one", "fingerprints": ["a", 7, "b"]}
    records = [named, "no record", None, {"fingerprints": "c"}, {"id": 5, "fingerprints": {"d": 1}}, {"id": "old"}]
    (Path(home) / "lessons.json").write_text(json.dumps({"lessons": records}))
    decisions.append(home, [decision("old", mark="e"), decision("x", "merged", "f", lesson="old"), decision("gone")])
    assert decisions.lesson_by_fingerprint(home) == {"a": "one", "b": "one", "e": "old", "f": "old"}
    (Path(home) / "lessons.json").write_text(json.dumps({"lessons": [named]}))
    assert decisions.lesson_by_fingerprint(home) == {"a": "one", "b": "one"}
