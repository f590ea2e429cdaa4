"""Whole files: never a part, never a lost mode or link, never an overwritten neighbour."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.errors import Busy
from lessons.store import files
from lessons.store.files import locked


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
        files.write_text(str(file), "\ud800")
    (folder / "inner").mkdir()
    with pytest.raises(OSError):
        files.write_text(str(folder / "inner"), "new")
    assert sorted(os.listdir(folder)) == ["f.json", "inner"]
    assert file.read_text() == "old"


def test_a_new_file_is_private_and_its_folder_is_made(folder: Path) -> None:
    file = folder / "home" / "f.json"
    files.write_text(str(file), "é\r\n")
    assert file.read_bytes() == "é\r\n".encode()
    assert mode(file) == 0o600
    assert mode(file.parent) == 0o700


def test_an_existing_file_keeps_its_mode(folder: Path) -> None:
    file = folder / "f.json"
    file.write_text("old")
    file.chmod(0o644)
    files.write_text(str(file), "new")
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
    files.write_text(str(link), "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


class Step:
    """A step of `change`, right before which another program writes its next text."""

    def __init__(self, file: Path, texts: list[str], step: Callable[[str, str, bool], bool]) -> None:
        self.file, self.texts, self.step = file, texts, step

    def __call__(self, first: str, second: str, exchanged: bool) -> bool:
        if self.texts:
            (self.file.parent / "theirs").write_text(self.texts.pop(0))
            os.replace(self.file.parent / "theirs", self.file)
        return self.step(first, second, exchanged)


@pytest.mark.parametrize("texts", [["one"], ["one", "two"], ["one", "two", "three"], ["one", "old", "old"]])
def test_what_another_program_writes_in_the_same_moment_stays(
    texts: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, last = folder / "f.json", texts[-1]
    file.write_text("old")
    monkeypatch.setattr(files, "_moved", Step(file, texts, files._moved))
    with pytest.raises(files.Changed):
        files.change(str(file), b"old", b"ours")
    assert (file.read_text(), os.listdir(folder), texts) == (last, ["f.json"], [])


def test_a_file_that_another_program_creates_then_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "f.json"
    monkeypatch.setattr(files, "_moved", Step(file, ["theirs"], files._moved))
    with pytest.raises(files.Changed):
        files.change(str(file), None, b"ours")
    assert (file.read_text(), os.listdir(folder)) == ("theirs", ["f.json"])


@pytest.mark.parametrize("able", [True, False])
def test_only_the_expected_content_is_replaced(able: bool, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the system can neither exchange two files nor move one to a free place."""
    if not able:
        monkeypatch.setattr(files, "_moved", lambda first, second, exchanged: False)
    file = folder / "f.json"
    files.change(str(file), None, b"first", 0o640)
    assert mode(file) == 0o640
    file.chmod(0o644)
    for before in (None, b"other", b"first\n"):
        with pytest.raises(files.Changed):
            files.change(str(file), before, b"second")
    files.change(str(file), b"first", b"second")
    assert (file.read_text(), mode(file), os.listdir(folder)) == ("second", 0o644, ["f.json"])
    file.unlink()
    with pytest.raises(files.Changed):
        files.change(str(file), b"second", b"third")
    os.mkfifo(file)
    with pytest.raises(files.Changed):
        files.change(str(file), b"second", b"third")
    assert stat.S_ISFIFO(file.stat().st_mode)


def test_a_damaged_file_is_set_aside_and_earlier_ones_stay(folder: Path) -> None:
    file = folder / "f.json"
    asides = []
    for content in ("first", "second", "third"):
        file.write_text(content)
        asides.append(files.set_aside(str(file)))
    assert not file.exists()
    assert [Path(aside).read_text() for aside in asides] == ["first", "second", "third"]
    assert all(Path(aside).name.startswith("f.json.damaged-2") for aside in asides)


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
    assert files.write_text(str(file), "new")
    assert (file.read_text(), refusals) == ("new", [])
    assert os.listdir(folder) == ["f.json"]


HOLDER = """
import sys
from lessons.store.files import locked
with locked(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(file: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_held_lock_is_busy_and_a_dead_holder_frees_it(tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    with holder(file) as process:
        sentence = r"lessons\.json is still being written by .* after 0\.1 s: try again"
        with pytest.raises(Busy, match=sentence), locked(str(file), timeout=0.1):
            pytest.fail("two holders")
        process.send_signal(signal.SIGKILL)
    with locked(str(file), timeout=5):
        assert not file.exists()


def test_a_link_and_its_target_share_one_lock(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "target.json")
    with locked(str(link)), pytest.raises(Busy), locked(str(tmp_path / "target.json"), timeout=0.05):
        pytest.fail("two holders")


def test_without_flock_the_library_does_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "fcntl", None)
    file = tmp_path / "lessons.json"
    with holder(file) as process:
        with pytest.raises(Busy, match="still being written"), locked(str(file), timeout=0.1):
            pytest.fail("two holders")
        process.send_signal(signal.SIGKILL)
    with locked(str(file), timeout=5):
        assert not file.exists()
