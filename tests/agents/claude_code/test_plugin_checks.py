"""`lessons doctor` with the plugin: needs no settings file, and names missing parts."""

import os
from pathlib import Path

import pytest

from lessons.agents.claude_code.plugin_checks import checks
from lessons.check import Check


def data_folder(folder: Path, name: str = "lessons-lessons") -> Path:
    data = folder / "plugins" / "data" / name
    data.mkdir(parents=True)
    return data


def install(data: Path, python: str = os.__file__) -> None:
    """An installation that leads into the folder."""
    entry = data / "versions" / "1" / "entry.py"
    entry.parent.mkdir(parents=True)
    entry.touch()
    (data / "installation").write_text(f"1.2.3\n{python}\n{entry}\n{entry}\n/home\n")


def found(folder: Path) -> list[Check]:
    return list(checks({"CLAUDE_CONFIG_DIR": str(folder)}))


def test_without_the_plugin_nothing_is_said(tmp_path: Path) -> None:
    assert found(tmp_path) == []
    data = data_folder(tmp_path)
    assert found(tmp_path) == []
    (data / "installation").write_text("half\n")
    assert found(tmp_path) == []


def test_the_folder_of_another_plugin_says_nothing(tmp_path: Path) -> None:
    other = data_folder(tmp_path, "lessons-learned-x")
    (other / "failed").write_text("no tests\n")
    assert found(tmp_path) == []
    (other / "installation").write_text(f"1.2.3\n/nowhere/python\n{__file__}\n{__file__}\n/home\n")
    assert found(tmp_path) == []


@pytest.mark.parametrize("name", ["lessons-inline", "lessons-lessons", "lessons-our-own-market"])
def test_any_way_in_which_the_client_loads_it(tmp_path: Path, name: str) -> None:
    install(data_folder(tmp_path, name))
    assert [check.ok for check in found(tmp_path)] == [True]


def test_what_is_gone_is_named(tmp_path: Path) -> None:
    install(data_folder(tmp_path), "/nowhere/python")
    [check] = found(tmp_path)
    assert not check.ok and "/nowhere/python is gone" in check.detail and check.fix


def test_a_setup_that_failed_is_told(tmp_path: Path) -> None:
    (data_folder(tmp_path) / "failed").write_text("lessons could not be set up: no network.\n")
    [check] = found(tmp_path)
    assert (check.ok, check.detail) == (False, "lessons could not be set up: no network.")
    assert "setup.log" in check.fix


def test_a_whole_installation(tmp_path: Path) -> None:
    install(data_folder(tmp_path))
    [check] = found(tmp_path)
    assert check.ok and "version 1.2.3" in check.detail
