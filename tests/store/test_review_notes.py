"""What was skipped and what was listed is remembered; without a history nothing is."""

from pathlib import Path

from lessons.store import review_notes
from lessons.store.history.history import History
from lessons.store.review_notes import Listing, entry


def test_later_skips_come_later_and_can_be_taken_back(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert review_notes.skipped(home) == {}
    review_notes.unskip(home, ["a"])
    assert not (tmp_path / "history.db").exists()
    for mark in ("b", "a", "c"):
        review_notes.skip(home, [mark])
    known = review_notes.skipped(home)
    assert sorted(known, key=lambda mark: known[mark]) == ["b", "a", "c"]
    review_notes.unskip(home, ["a", "z"])
    assert list(review_notes.skipped(home)) == ["b", "c"]


def test_the_last_list_is_known_where_there_is_a_history(tmp_path: Path) -> None:
    home, shown = str(tmp_path), Listing([entry("fix-a", "a problem"), entry("fix-b", "another")])
    review_notes.write_listing(home, shown)
    assert not (tmp_path / "history.db").exists() and review_notes.read_listing(home) is None
    with History.opened(home):
        pass
    review_notes.write_listing(home, shown)
    assert review_notes.read_listing(home) == shown
    with History.opened(home) as history:
        history.put_fact("lastListing", "{")
    assert review_notes.read_listing(home) is None
