"""The index of words: nothing is found twice or under another row, whenever the rows are put into it."""

from pathlib import Path

import pytest

from lessons.store.history import database, search
from tests.store.history.history import History, call, history, prompt, result
from tests.tables import table

EARLY, LATE = "2026-01-01T00:00:01Z", "2026-01-01T00:00:09Z"


def _indexed_at(made: History, moments: set[int], moment: int) -> None:
    if moment in moments:
        search.catch_up(made.connection)


@table("moments", [set(), {0}, {1}, {0, 1}, {0, 1, 2}, {2, 3}])
def test_what_is_found_does_not_depend_on_when_rows_are_indexed(moments: set[int]) -> None:
    with history() as made:
        made.write("/a", call("c1"), result("c1", "failed", ended=LATE, uuid="second", error="crash"))
        _indexed_at(made, moments, 0)
        made.write("/a", call("c2"), prompt(7, "paint it"))
        _indexed_at(made, moments, 1)
        made.write("/a", result("c1", "failed", ended=EARLY, uuid="first", error="boom"))
        _indexed_at(made, moments, 2)
        made.write("/b", result("c2", "failed", error="boom again"))
        _indexed_at(made, moments, 3)
        assert (made.found("crash"), made.found("boom"), made.found("paint")) == ([], ["c1", "c2"], ["prompt 7"])
        assert made.found("make") == ["c1", "c2"]
        before = made.dump()["words"]
        search.rebuild(made.connection)
        assert made.dump()["words"] == before


def test_nothing_waits_once_a_history_is_closed(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as connection:
        History(connection).write("/a", call("c1"), prompt(1))
        assert search.waiting(connection) == 2
    with database.for_reading(str(tmp_path)) as reader:
        assert search.waiting(reader) == 0


def test_what_an_interrupted_writer_left_waiting_is_indexed_by_the_next(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        _write_and_stop(str(tmp_path))
    with database.opened(str(tmp_path)) as connection:
        assert search.waiting(connection) == 1
    with database.for_reading(str(tmp_path)) as reader:
        assert search.waiting(reader) == 0


def _write_and_stop(home: str) -> None:
    with database.opened(home) as connection:
        History(connection).write("/a", call("c1"))
        raise KeyboardInterrupt


def test_a_long_scan_does_not_let_too_many_rows_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_WAITING", 2)
    with history() as made:
        for number in range(5):
            made.write("/a", call(f"c{number}"))
            assert search.waiting(made.connection) <= 2
