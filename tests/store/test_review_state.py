"""What was skipped is remembered; a damaged file is none."""

from pathlib import Path

from lessons.store import review_state
from tests.tables import table


@table("text", ["", "{", "[]", '{"skipped": []}', '{"skipped": {"a": 1}}', "[" * 100_000])
def test_what_is_no_such_file_is_empty_and_is_replaced(text: str, tmp_path: Path) -> None:
    (tmp_path / "review-state.json").write_text(text)
    assert review_state.skipped(str(tmp_path)) == {}
    review_state.skip(str(tmp_path), ["b"])
    assert list(review_state.skipped(str(tmp_path))) == ["b"]


def test_later_skips_come_later_and_can_be_taken_back(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert review_state.skipped(home) == {}
    review_state.unskip(home, ["a"])
    assert not (tmp_path / "review-state.json").exists()
    for mark in ("b", "a", "c"):
        review_state.skip(home, [mark])
    known = review_state.skipped(home)
    assert sorted(known, key=lambda mark: known[mark]) == ["b", "a", "c"]
    review_state.unskip(home, ["a", "z"])
    assert list(review_state.skipped(home)) == ["b", "c"]
