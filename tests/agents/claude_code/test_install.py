"""Real settings files: written atomically, with mode and place preserved, and restored by uninstall."""

import json
import ntpath
import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from lessons.agents import hook_command
from lessons.agents.base import Check
from lessons.agents.claude_code.install import INSTALLER
from lessons.agents.claude_code.install import plugin_checks as checks
from lessons.agents.hook_command import is_ours, parse_command
from lessons.agents.table import AGENTS
from lessons.errors import LessonsError, Refused
from tests.tables import table

TEXT = '{\n    "model": "opus",\n    "hooks": {},\n    "env": {"TOKEN": "ü"}\n}'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(TEXT, encoding="utf-8")
    return path


def backup_of(file: Path) -> Path:
    return file.with_name(file.name + ".lessons-backup")


def listing(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_a_dry_run_writes_nothing_and_shows_the_change(file: Path, tmp_path: Path) -> None:
    report = INSTALLER.install(str(file), str(tmp_path / "home"), dry_run=True)
    assert report.changed
    assert file.read_text(encoding="utf-8") == TEXT
    assert listing(file.parent) == ["settings.json"]
    assert report.diff.startswith(f"--- {file}\n+++ {file}")
    added = [line[1:] for line in report.diff.splitlines() if line.startswith("+") and "exit 0" in line]
    assert len(added) == len(AGENTS["claude-code"].events)
    assert not any(line.startswith("-") and "model" in line for line in report.diff.splitlines())
    missing = tmp_path / "not" / "there" / "settings.json"
    assert INSTALLER.install(str(missing), str(tmp_path), dry_run=True).changed
    assert not (tmp_path / "not").exists()


def test_uninstalling_gives_the_file_back_and_leaves_nothing_behind(file: Path, tmp_path: Path) -> None:
    file.chmod(0o640)
    report = INSTALLER.install(str(file), str(tmp_path / "home"))
    assert report.backup == str(backup_of(file))
    assert backup_of(file).read_text(encoding="utf-8") == TEXT
    assert (file.stat().st_mode & 0o777, backup_of(file).stat().st_mode & 0o777) == (0o640, 0o640)
    assert INSTALLER.uninstall(str(file)).changed
    assert file.read_text(encoding="utf-8") == TEXT
    assert file.stat().st_mode & 0o777 == 0o640
    assert listing(file.parent) == ["settings.json"]
    assert not INSTALLER.uninstall(str(file)).changed


def test_the_copy_is_of_the_settings_before_the_first_change(file: Path, tmp_path: Path) -> None:
    INSTALLER.install(str(file), str(tmp_path / "one"))
    INSTALLER.install(str(file), str(tmp_path / "two"))
    assert backup_of(file).read_text(encoding="utf-8") == TEXT
    file.write_text(file.read_text(encoding="utf-8").replace("opus", "sonnet"), encoding="utf-8")
    report = INSTALLER.uninstall(str(file))
    assert json.loads(file.read_text(encoding="utf-8")) == {"model": "sonnet", "env": {"TOKEN": "ü"}}
    assert report.backup == str(backup_of(file))
    assert backup_of(file).read_text(encoding="utf-8") == TEXT


def test_what_has_our_hooks_is_never_kept_as_the_file_as_it_was(file: Path, tmp_path: Path) -> None:
    INSTALLER.install(str(file), str(tmp_path / "one"))
    backup_of(file).unlink()
    assert INSTALLER.install(str(file), str(tmp_path / "two")).backup is None
    assert listing(file.parent) == ["settings.json"]


def test_a_damaged_copy_does_not_hinder(file: Path, tmp_path: Path) -> None:
    INSTALLER.install(str(file), str(tmp_path))
    backup_of(file).write_bytes(b"\xff{")
    INSTALLER.uninstall(str(file))
    assert INSTALLER.installed_commands(str(file)) == {}
    assert backup_of(file).read_bytes() == b"\xff{"


def test_an_empty_list_that_the_user_added_meanwhile_stays(file: Path, tmp_path: Path) -> None:
    INSTALLER.install(str(file), str(tmp_path))
    settings = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**settings, "availableModels": []}))
    INSTALLER.uninstall(str(file))
    found = json.loads(file.read_text(encoding="utf-8"))
    assert found == {"model": "opus", "env": {"TOKEN": "ü"}, "availableModels": []}


@table("text", ["", "\n"])
def test_a_file_that_was_emptied_meanwhile_stays_empty(file: Path, tmp_path: Path, text: str) -> None:
    INSTALLER.install(str(file), str(tmp_path))
    file.write_text(text)
    assert not INSTALLER.uninstall(str(file)).changed
    assert (file.read_text(), backup_of(file).read_text(encoding="utf-8")) == (text, TEXT)


def test_a_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "settings.json"
    link.symlink_to(file)
    INSTALLER.install(str(link), str(tmp_path / "home"))
    assert link.is_symlink()
    assert len(INSTALLER.installed_commands(str(file))) == len(AGENTS["claude-code"].events)
    INSTALLER.uninstall(str(link))
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == TEXT


def test_a_place_that_cannot_be_written_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "folder", tmp_path / "file" / "settings.json"):
        with pytest.raises(LessonsError, match=str(path)):
            INSTALLER.install(str(path), str(tmp_path))


def test_the_client_runs_what_is_in_the_file(tmp_path: Path) -> None:
    entry = tmp_path / "lessons" / "hook" / "entry.py"
    entry.parent.mkdir(parents=True)
    entry.write_text("import os, sys; print(sys.argv[1], os.environ['LESSONS_HOME'], sys.flags.isolated)")
    file = tmp_path / "settings.json"
    INSTALLER.install(str(file), str(tmp_path / "home"), entry=str(entry))
    environment = {name: value for name, value in os.environ.items() if name != "LESSONS_HOME"}
    for event, groups in json.loads(file.read_text())["hooks"].items():
        command = groups[0]["hooks"][0]["command"]
        done = subprocess.run(command, shell=True, input="{}", capture_output=True, text=True, env=environment)
        assert (done.returncode, done.stdout) == (0, f"{event} {tmp_path / 'home'} 1")


def test_paths_of_windows_stand_in_the_command_with_forward_slashes(monkeypatch: pytest.MonkeyPatch) -> None:
    python, environment_python = "C:\\Python 3\\python.exe", "C:\\Users\\me\\env\\Scripts\\python.exe"
    entry, home = "C:\\Users\\me\\env\\Lib\\site-packages\\lessons\\hook\\entry.py", "D:\\it's\\data"
    monkeypatch.setattr(hook_command, "usable_interpreter", lambda executable: python)
    monkeypatch.setattr(hook_command, "os", SimpleNamespace(path=ntpath))
    places = hook_command.places_of(home, environment_python, entry)
    assert places == (
        "C:/Python 3/python.exe",
        "C:/Users/me/env/Lib/site-packages/lessons/hook/entry.py",
        "D:/it's/data",
        "C:/Users/me/env/Scripts/python.exe",
    )
    for event, command in INSTALLER.hook_commands(places.home).items():
        assert "\\" not in command.replace("'\\''", ""), command
        assert is_ours(command) and parse_command(command) == (event, "", "D:/it's/data")


def test_an_install_with_a_python_that_does_not_run_changes_nothing(file: Path, tmp_path: Path) -> None:
    stub = tmp_path / "python3"
    stub.write_text("#!/bin/sh\nexit 9\n")
    stub.chmod(0o755)
    with pytest.raises(Refused, match="does not run as Python"):
        INSTALLER.install(str(file), str(tmp_path / "home"), executable=str(stub))
    assert file.read_text(encoding="utf-8") == TEXT
    assert listing(file.parent) == ["settings.json"]


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
