"""Numbers and names of candidates: a number counts only while the list is what was shown."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from lessons import config
from lessons.errors import NotFound, Refused
from lessons.promote.candidate import Candidate
from lessons.promote.decide import selected
from lessons.promote.queue import by_number, listings, named, remember, whole
from lessons.store.history.history import History
from tests.builders.candidates import Seen, put, put_into
from tests.store.history.history import history


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with history() as made:
        for number, mark in enumerate(("fix-aa", "fix-ab", "tag-c")):
            put(made.connection, mark, minutesLost=9 - number)
        yield made.connection


@pytest.fixture(autouse=True)
def _history(tmp_path: Path) -> None:
    with History.opened(str(tmp_path)):
        pass


def queue(connection: sqlite3.Connection, home: Path) -> list[Candidate]:
    return whole(History(connection, ""), config.load(str(home), {}))


def test_a_list_that_changed(connection: sqlite3.Connection, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="No list"):
        by_number(listings(str(tmp_path)), queue(connection, tmp_path), {}, [1])
    remember(str(tmp_path), queue(connection, tmp_path))
    shown = listings(str(tmp_path))
    for number in (0, -1, 4):
        with pytest.raises(NotFound, match=f"No candidate {number}"):
            by_number(shown, queue(connection, tmp_path), {}, [number])
    connection.execute("UPDATE candidates SET document = replace(document, 'has no', 'knows no') WHERE tier = 2")
    with pytest.raises(Refused, match="changed"):
        by_number(shown, queue(connection, tmp_path), {}, [1])


def test_news_change_it_and_what_was_decided_does_not(connection: sqlite3.Connection, tmp_path: Path) -> None:
    remember(str(tmp_path), queue(connection, tmp_path))
    shown = listings(str(tmp_path))
    assert by_number(shown, queue(connection, tmp_path), {}, [3, 1]) == ["tag-c", "fix-aa"]
    connection.execute("UPDATE candidates SET status = 'promoted' WHERE fingerprint = 'fix-aa'")
    decided = {"fix-aa": "promoted"}
    assert by_number(shown, queue(connection, tmp_path), decided, [3]) == ["tag-c"]
    with pytest.raises(Refused, match="already promoted"):
        by_number(shown, queue(connection, tmp_path), decided, [1])
    put(connection, "news")
    with pytest.raises(Refused, match="changed"):
        by_number(shown, queue(connection, tmp_path), decided, [3])


def test_names(connection: sqlite3.Connection, tmp_path: Path) -> None:
    waiting = queue(connection, tmp_path)
    assert [named(waiting, {}, each) for each in ("tag", "fix-ab")] == ["tag-c", "fix-ab"]
    for name, words in (
        ("fix", "matches 2"),
        ("", "No candidate"),
        ("3", "No candidate '3'"),
        ("old", "rejected"),
    ):
        with pytest.raises((Refused, NotFound), match=words):
            named(waiting, {"old-one": "archived"}, name)


def test_near_duplicates_bring_their_evidence(tmp_path: Path) -> None:
    with History.opened(str(tmp_path)):
        put_into(tmp_path, "first")
        put_into(tmp_path, "near", seen=[Seen("elsewhere", uuid="u9")])
        put_into(tmp_path, "other", problem="`lamp` has no `--lux`", solution="Leave out `--lux`.")
    ((first, *alike),) = selected(str(tmp_path), ["first"])
    assert first.source_session_ids == ["s1", "s2"]
    assert [(each.fingerprint, each.source_session_ids) for each in alike] == [("near", ["elsewhere"])]
    assert first.proposed_trigger or first.no_trigger
