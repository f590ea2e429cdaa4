"""What was skipped and what was listed is remembered; without a history nothing is."""

from pathlib import Path

from lessons.promote.queue import listings, remember, skip, skipped
from lessons.store.history.history import History


def test_later_skips_come_later_and_can_be_taken_back(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert skipped(home) == {}
    skip(home, ["a"], undo=True)
    assert not (tmp_path / "history.db").exists()
    for mark in ("b", "a", "c"):
        skip(home, [mark])
    known = skipped(home)
    assert sorted(known, key=lambda mark: known[mark]) == ["b", "a", "c"]
    skip(home, ["a", "z"], undo=True)
    assert list(skipped(home)) == ["b", "c"]


def test_the_last_list_is_known_where_there_is_a_history(tmp_path: Path) -> None:
    home = str(tmp_path)
    remember(home, [])
    assert not (tmp_path / "history.db").exists() and listings(home) == []
    with History.opened(home):
        pass
    remember(home, [])
    assert listings(home) == [{}]
    with History.opened(home) as history:
        history.put_fact("lastListing", "{")
    assert listings(home) == []
