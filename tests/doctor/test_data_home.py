"""`lessons doctor` on the data home: one that somebody else can change is a fault, with a remedy."""

import os
from pathlib import Path

import pytest

from lessons.doctor.checks import home_check as check
from tests.tables import table


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "level" / "home"
    (home / "projects" / "one").mkdir(parents=True)
    for folder in (tmp_path, *tmp_path.rglob("*")):
        folder.chmod(0o700)
    return home


@table("mode", [0o700, 0o750, 0o755, 0o500 | 0o200, 0o2755])
def test_what_others_can_only_read(mode: int, home: Path) -> None:
    for folder in (home, home / "projects", home / "projects" / "one", home.parent):
        folder.chmod(mode)
        assert check(str(home)).ok


@table("mode", [0o770, 0o775, 0o777, 0o722, 0o702, 0o720, 0o1777])
@table("place", ["", "projects", "projects/one"])
def test_what_others_can_write(place: str, mode: int, home: Path) -> None:
    folder = home / place
    folder.chmod(mode)
    found = check(str(home))
    folder.chmod(0o700)
    assert not found.ok
    assert f"Others can write {folder}" in found.detail
    assert found.fix == f"Run `chmod 700 {folder}`."


@table(("mode", "ok"), [(0o777, False), (0o702, False), (0o1777, True), (0o770, True), (0o755, True)])
def test_a_level_above_from_which_others_could_replace_it(mode: int, ok: bool, home: Path) -> None:
    """A group of its own is common there, and in a sticky folder nobody renames what is another's."""
    home.parent.chmod(mode)
    found = check(str(home))
    home.parent.chmod(0o700)
    assert found.ok is ok
    if not ok:
        assert found.fix == f"Run `chmod o-w {home.parent}`."


def test_where_a_link_leads_counts(home: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(home)
    home.chmod(0o777)
    assert not check(str(tmp_path / "link")).ok
    home.chmod(0o700)
    assert check(str(tmp_path / "link")).ok


def test_a_folder_outside_is_not_looked_at(home: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other").chmod(0o777)
    (home / "projects" / "link").symlink_to(tmp_path / "other")
    assert check(str(home)).ok


def test_a_home_that_is_missing(tmp_path: Path) -> None:
    assert "does not exist" in check(str(tmp_path / "gone")).detail
    assert not os.path.exists(tmp_path / "gone")
