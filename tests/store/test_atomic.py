"""Whole files: never a part, never a lost mode or link, never an overwritten neighbour."""

import os
import stat
from pathlib import Path

import pytest

from lessons.store import atomic


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder: the surroundings of a test already fill `tmp_path`."""
    empty = tmp_path / "folder"
    empty.mkdir()
    return empty


def test_a_failed_write_leaves_the_old_file_and_no_rest(folder: Path) -> None:
    file = folder / "f.json"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        atomic.write_text(str(file), "\ud800")
    (folder / "inner").mkdir()
    with pytest.raises(OSError):
        atomic.write_text(str(folder / "inner"), "new")
    assert sorted(os.listdir(folder)) == ["f.json", "inner"]
    assert file.read_text() == "old"


def test_the_same_text_is_not_written_again(folder: Path) -> None:
    file = folder / "f.json"
    assert atomic.write_text(str(file), "text") is True
    before = atomic.stamp(str(file))  # without the time of the last read
    assert atomic.write_text(str(file), "text") is False
    assert atomic.stamp(str(file)) == before


def test_a_new_file_is_private_and_its_folder_is_made(folder: Path) -> None:
    file = folder / "home" / "f.json"
    atomic.write_text(str(file), "é\r\n")
    assert file.read_bytes() == "é\r\n".encode()
    assert mode(file) == 0o600
    assert mode(file.parent) == 0o700


def test_an_existing_file_keeps_its_mode(folder: Path) -> None:
    file = folder / "f.json"
    file.write_text("old")
    file.chmod(0o644)
    atomic.write_text(str(file), "new")
    assert mode(file) == 0o644
    assert os.listdir(folder) == ["f.json"]


@pytest.mark.parametrize("target_exists", [True, False])
def test_a_link_stays_a_link_and_its_target_is_written(folder: Path, target_exists: bool) -> None:
    target = folder / "dotfiles" / "f.json"
    target.parent.mkdir()
    if target_exists:
        target.write_text("old")
    link = folder / "f.json"
    link.symlink_to(target)
    atomic.write_text(str(link), "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_damaged_file_is_set_aside_and_earlier_ones_stay(folder: Path) -> None:
    file = folder / "f.json"
    asides = []
    for content in ("first", "second", "third"):
        file.write_text(content)
        asides.append(atomic.set_aside(str(file)))
    assert not file.exists()
    assert [Path(aside).read_text() for aside in asides] == ["first", "second", "third"]
    assert all(Path(aside).name.startswith("f.json.damaged-2") for aside in asides)


def test_setting_aside_what_is_not_there_leaves_nothing_behind(folder: Path) -> None:
    with pytest.raises(FileNotFoundError):
        atomic.set_aside(str(folder / "f.json"))
    assert list(folder.iterdir()) == []


def test_a_file_that_another_process_has_open_is_tried_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Windows does for as long as a hook reads it."""
    file, replace, refusals = folder / "f.json", os.replace, [1, 2, 3]

    def busy(source: str, target: str) -> None:
        if refusals:
            refusals.pop()
            raise PermissionError(13, "in use", target)
        replace(source, target)

    file.write_text("old")
    monkeypatch.setattr(os, "replace", busy)
    assert atomic.write_text(str(file), "new")
    assert (file.read_text(), refusals) == ("new", [])
    assert os.listdir(folder) == ["f.json"]


def test_a_file_that_stays_refused_keeps_its_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: str, target: str) -> None:
        raise PermissionError(13, "in use", target)

    file = folder / "f.json"
    file.write_text("old")
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        atomic.write_text(str(file), "new")
    assert file.read_text() == "old"
    assert os.listdir(folder) == ["f.json"]
