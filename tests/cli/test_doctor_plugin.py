"""`lessons doctor` where the plugin runs the hook: it is content without a settings file, and names what is gone."""

import os
from pathlib import Path

from lessons.cli.doctor_data import Check
from lessons.cli.doctor_plugin import checks


def data_folder(folder: Path) -> Path:
    data = folder / "plugins" / "data" / "lessons-lessons"
    data.mkdir(parents=True)
    return data


def found(folder: Path) -> list[Check]:
    return list(checks({"CLAUDE_CONFIG_DIR": str(folder)}))


def test_without_the_plugin_nothing_is_said(tmp_path: Path) -> None:
    assert found(tmp_path) == []
    data = data_folder(tmp_path)
    assert found(tmp_path) == []
    (data / "installation").write_text("half\n")
    assert found(tmp_path) == []


def test_what_is_gone_is_named(tmp_path: Path) -> None:
    (data_folder(tmp_path) / "installation").write_text(f"1.2.3\n/nowhere/python\n{__file__}\n{__file__}\n/home\n")
    [check] = found(tmp_path)
    assert not check.ok and "/nowhere/python is gone" in check.detail and check.fix


def test_a_setup_that_failed_is_told(tmp_path: Path) -> None:
    (data_folder(tmp_path) / "failed").write_text("lessons could not be set up: no network.\n")
    [check] = found(tmp_path)
    assert (check.ok, check.detail) == (False, "lessons could not be set up: no network.")
    assert "setup.log" in check.fix


def test_a_whole_installation(tmp_path: Path) -> None:
    (data_folder(tmp_path) / "installation").write_text(f"1.2.3\n{os.__file__}\n{__file__}\n{__file__}\n/home\n")
    [check] = found(tmp_path)
    assert check.ok and "version 1.2.3" in check.detail
