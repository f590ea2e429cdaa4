"""Lines for the person: a damaged file has none, and each line is replaced and removed alone."""

import stat
from pathlib import Path

import pytest

from lessons.store import person_lines
from tests.tables import table

NOW = 1_000_000.0


def texts(home: Path) -> dict[str, str]:
    return {name: line.text for name, line in person_lines.read(str(home)).items()}


DAMAGED = [
    *("", "{", "[]", "null", '"text"', "\xff", "[" * 100_000),
    *('{"weekly": "text"}', '{"weekly": {"text": 7, "until": 1}}', '{"weekly": {"text": "", "until": 1}}'),
    *('{"weekly": {"text": "a"}}', '{"weekly": {"text": "a", "until": "soon"}}'),
]


@table("text", DAMAGED)
def test_a_damaged_file_has_no_lines(tmp_path: Path, text: str) -> None:
    (tmp_path / "person-lines.json").write_text(text, encoding="latin-1")
    assert texts(tmp_path) == {}
    person_lines.put(str(tmp_path), "weekly", "This week.", NOW)
    assert texts(tmp_path) == {"weekly": "This week."}


def test_each_line_is_replaced_and_removed_alone(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert texts(tmp_path) == {}
    person_lines.put(home, "weekly", "", NOW)
    assert not (tmp_path / "person-lines.json").exists(), "nothing to remove, nothing to write"
    person_lines.put(home, "weekly", "One.", NOW)
    person_lines.put(home, "other", "Two.", NOW + 1)
    person_lines.put(home, "weekly", "Three.", NOW + 2)
    assert texts(tmp_path) == {"weekly": "Three.", "other": "Two."}
    assert person_lines.read(home)["weekly"].until == NOW + 2
    assert stat.S_IMODE((tmp_path / "person-lines.json").stat().st_mode) == 0o600
    person_lines.put(home, "weekly", "", NOW)
    assert texts(tmp_path) == {"other": "Two."}


@pytest.mark.parametrize("what", ["folder", "nowhere"])
def test_what_cannot_be_read_has_no_lines(tmp_path: Path, what: str) -> None:
    if what == "folder":
        (tmp_path / "person-lines.json").mkdir()
    assert person_lines.read(str(tmp_path / "nowhere" if what == "nowhere" else tmp_path)) == {}
