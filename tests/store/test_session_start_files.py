"""Lines for the person: a damaged file has none, and each line is replaced and removed alone."""

import stat
from pathlib import Path

import pytest

from lessons.store import session_start_files
from tests.tables import table

NOW = 1_000_000.0


def texts(home: Path) -> dict[str, str]:
    return {name: line.text for name, line in session_start_files.read_person_lines(str(home)).items()}


DAMAGED = [
    *("", "{", "[]", "null", '"text"', "\xff", "[" * 100_000),
    *('{"weekly": "text"}', '{"weekly": {"text": 7, "until": 1}}', '{"weekly": {"text": "", "until": 1}}'),
    *('{"weekly": {"text": "a"}}', '{"weekly": {"text": "a", "until": "soon"}}'),
]


@table("text", DAMAGED)
def test_a_damaged_file_has_no_lines(tmp_path: Path, text: str) -> None:
    (tmp_path / "person-lines.json").write_text(text, encoding="latin-1")
    assert texts(tmp_path) == {}
    session_start_files.put_person_line(str(tmp_path), "weekly", "This week.", NOW)
    assert texts(tmp_path) == {"weekly": "This week."}


def test_each_line_is_replaced_and_removed_alone(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert texts(tmp_path) == {}
    session_start_files.put_person_line(home, "weekly", "", NOW)
    assert not (tmp_path / "person-lines.json").exists(), "nothing to remove, nothing to write"
    session_start_files.put_person_line(home, "weekly", "One.", NOW)
    session_start_files.put_person_line(home, "other", "Two.", NOW + 1)
    session_start_files.put_person_line(home, "weekly", "Three.", NOW + 2)
    assert texts(tmp_path) == {"weekly": "Three.", "other": "Two."}
    assert session_start_files.read_person_lines(home)["weekly"].until == NOW + 2
    assert stat.S_IMODE((tmp_path / "person-lines.json").stat().st_mode) == 0o600
    session_start_files.put_person_line(home, "weekly", "", NOW)
    assert texts(tmp_path) == {"other": "Two."}


@pytest.mark.parametrize("what", ["folder", "nowhere"])
def test_what_cannot_be_read_has_no_lines(tmp_path: Path, what: str) -> None:
    if what == "folder":
        (tmp_path / "person-lines.json").mkdir()
    assert session_start_files.read_person_lines(str(tmp_path / "nowhere" if what == "nowhere" else tmp_path)) == {}
