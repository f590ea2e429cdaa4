"""Whole files: never a part, never a lost mode or link, never an overwritten neighbour."""

import os
import stat
from pathlib import Path

import pytest

from lessons.store import atomic


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    file = tmp_path / "f.json"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        atomic.write_text(str(file), "\ud800")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        atomic.write_text(str(tmp_path / "folder"), "new")
    assert sorted(os.listdir(tmp_path)) == ["f.json", "folder"]
    assert file.read_text() == "old"


def test_the_same_text_is_not_written_again(tmp_path: Path) -> None:
    file = tmp_path / "f.json"
    assert atomic.write_text(str(file), "text") is True
    before = file.stat()
    assert atomic.write_text(str(file), "text") is False
    assert file.stat() == before


def test_a_new_file_is_private_and_its_folder_is_made(tmp_path: Path) -> None:
    file = tmp_path / "home" / "f.json"
    atomic.write_text(str(file), "é\r\n")
    assert file.read_bytes() == "é\r\n".encode()
    assert mode(file) == 0o600
    assert mode(file.parent) == 0o700


def test_an_existing_file_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "f.json"
    file.write_text("old")
    file.chmod(0o644)
    atomic.write_text(str(file), "new")
    assert mode(file) == 0o644
    assert os.listdir(tmp_path) == ["f.json"]


@pytest.mark.parametrize("target_exists", [True, False])
def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path, target_exists: bool) -> None:
    target = tmp_path / "dotfiles" / "f.json"
    target.parent.mkdir()
    if target_exists:
        target.write_text("old")
    link = tmp_path / "f.json"
    link.symlink_to(target)
    atomic.write_text(str(link), "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_damaged_file_is_set_aside_and_earlier_ones_stay(tmp_path: Path) -> None:
    file = tmp_path / "f.json"
    asides = []
    for content in ("first", "second", "third"):
        file.write_text(content)
        asides.append(atomic.set_aside(str(file)))
    assert not file.exists()
    assert [Path(aside).read_text() for aside in asides] == ["first", "second", "third"]
    assert all(Path(aside).name.startswith("f.json.damaged-2") for aside in asides)


def test_setting_aside_what_is_not_there_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        atomic.set_aside(str(tmp_path / "f.json"))
    assert list(tmp_path.iterdir()) == []
