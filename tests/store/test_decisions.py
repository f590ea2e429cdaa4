"""decisions.jsonl: only ever added to, whole after a crash, and the truth about every candidate."""

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


def statuses(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT fingerprint, status FROM candidates"))


def test_nothing_is_decided_without_a_file(home: str, connection: sqlite3.Connection) -> None:
    put(connection, "mined", status="archived")
    assert decisions.read(home) == []
    assert decisions.statuses(home) == {}
    decisions.apply(History(connection, home))
    assert statuses(connection) == {"mined": "archived"}


def test_other_lines_are_no_decisions_about_candidates(home: str) -> None:
    decisions.record(home, "archived", "some-slug", "why")
    decisions.record(home, "muted", "some-slug")
    assert decisions.read(home) == []


def test_what_was_written_is_read_in_its_order_and_once(home: str) -> None:
    first, second = decision("a", slug="x"), decision("b", "archived", "other", reason='with "quotes" {"time": 1}')
    decisions.append(home, [first])
    decisions.append(home, [first, second])
    assert decisions.read(home) == [first, second]
    assert decisions.statuses(home) == {"mined": "promoted", "other": "archived"}


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


def test_what_is_undone_waits_again(home: str, connection: sqlite3.Connection) -> None:
    for mark in ("mined", "other", "untouched"):
        put(connection, mark)
    decisions.append(home, [decision("a"), decision("b", "archived", "other")])
    decisions.apply(History(connection, home))
    assert statuses(connection) == {"mined": "promoted", "other": "archived", "untouched": "candidate"}
    decisions.append(home, [decision("c", "undone", undoes="a")])
    decisions.apply(History(connection, home))
    assert statuses(connection) == {"mined": "candidate", "other": "archived", "untouched": "candidate"}
    decisions.append(home, [decision("d", "merged")])
    decisions.apply(History(connection, home))
    assert statuses(connection)["mined"] == "merged"
    assert [each.id for each in decisions.standing(decisions.read(home))] == ["b", "d"]
