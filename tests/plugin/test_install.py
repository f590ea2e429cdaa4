"""Setup with a pip controlled by the test: complete or not at all, one at a time, reported in one line."""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

import lessons
from tests.plugin.machine import Machine, wait_until
from tests.tables import table


def pips(machine: Machine) -> list[list[str]]:
    seen = Path(f"{machine.order}.seen")
    return [line.rsplit(" ", 2) for line in seen.read_text().splitlines()] if seen.exists() else []


def test_what_cannot_be_installed_is_told_and_leaves_nothing(machine: Machine) -> None:
    Path(f"{machine.order}.fail").write_text('some words\nERROR: No "way"\tto C:\\index\nhint: look above')
    assert machine.install().code == 1
    assert machine.installation() == []
    assert machine.versions() == []
    said = machine.failed()
    assert said.startswith("lessons could not be set up: ERROR: No 'way' to C:/index. Make sure that pip can reach")
    assert said.endswith("The next session tries again.\n")
    assert json.loads(f'"{said.strip()}"')
    assert "some words" in (machine.data / "setup.log").read_text()


@pytest.mark.parametrize("body", ["echo no ensurepip here; exit 1", "exit 1", "kill -9 $$"])
def test_an_environment_that_cannot_be_made(machine: Machine, body: str) -> None:
    command = machine.install_command()
    machine.program("base", body, machine.folder / "base")
    assert subprocess.run(command, env=machine.environment()).returncode == 1
    assert "python3-venv" in machine.failed()
    assert machine.installation() == machine.versions() == []


def test_the_installation_leads_to_what_works(ready: Machine) -> None:
    version, python, entry, own_python, home = ready.installation()
    assert version == lessons.__version__
    assert python.endswith("base") and os.access(own_python, os.X_OK)
    assert Path(entry).is_relative_to(ready.data) and Path(entry).name == "entry.py"
    assert home == str(ready.home / ".local" / "share" / "lessons")
    assert ready.versions() == [Path(own_python).parents[1].name]
    assert list(Path(entry).parent.glob("__pycache__/*.bundle"))
    assert ready.command_line("--version").out == f"lessons {lessons.__version__}\n"


def test_nothing_in_it_needs_the_plugin_folder(ready: Machine) -> None:
    assert str(ready.root) not in (ready.data / "installation").read_text()
    ready.root.rename(ready.folder / "gone")
    ready.root = ready.folder / "gone"
    assert ready.command_line("--version").code == 0


def test_links_that_were_checked_out_as_text_lead_to_the_repository(machine: Machine) -> None:
    kept = machine.data.parents[1] / "marketplaces" / "lessons"
    for repository in (machine.folder / "repository", kept):
        repository.mkdir(parents=True)
        shutil.copytree(machine.root / "src", repository / "src")
        shutil.copy(machine.root / "pyproject.toml", repository)
    shutil.rmtree(machine.root / "src")
    (machine.root / "src").write_text("../src")
    assert machine.install().code == 0
    assert pips(machine)[-1][0] == str(kept)
    machine.root = machine.root.rename(machine.folder / "repository" / "plugin")
    shutil.rmtree(machine.data / "versions")
    assert machine.install().code == 0
    assert pips(machine)[-1][0] == str(machine.folder / "repository")
    shutil.rmtree(machine.folder / "repository" / "src")
    shutil.rmtree(kept)
    shutil.rmtree(machine.data / "versions")
    assert machine.install().code == 1
    assert "Install the plugin again" in machine.failed()


def test_two_at_once_install_once(machine: Machine) -> None:
    wait = Path(f"{machine.order}.wait")
    wait.touch()
    first = subprocess.Popen(machine.install_command(), env=machine.environment())
    wait_until(lambda: pips(machine))
    assert machine.install().code == 0
    assert machine.installation() == []
    wait.unlink()
    assert first.wait(60) == 0
    assert len(pips(machine)) == 1
    assert len(machine.versions()) == 1


def test_killed_in_the_middle_and_tried_again(machine: Machine) -> None:
    wait = Path(f"{machine.order}.wait")
    wait.touch()
    first = subprocess.Popen(machine.install_command(), env=machine.environment())
    wait_until(lambda: pips(machine))
    os.kill(first.pid, signal.SIGKILL)
    first.wait(60)
    assert machine.installation() == []
    os.kill(int(pips(machine)[0][2]), signal.SIGKILL)
    half = machine.versions()
    assert len(half) == 1
    wait.unlink()
    assert machine.install().code == 0
    assert not set(half) & set(machine.versions())
    assert machine.command_line("--version").code == 0


def test_a_new_version_comes_beside_the_old_one_which_goes_later(ready: Machine) -> None:
    old = ready.installation()
    ready.raise_version()
    Path(f"{ready.order}.fail").write_text("ERROR: no network")
    assert ready.install().code == 1
    assert ready.installation() == old
    assert ready.command_line("--version").code == 0
    Path(f"{ready.order}.fail").unlink()
    assert ready.install().code == 0
    assert ready.failed() == ""
    assert ready.installation()[0] == "99.0.0"
    assert os.access(old[3], os.X_OK), "a scan of the old version may still run"
    ready.raise_version("99.0.0")
    (ready.root / ".claude-plugin" / "plugin.json").write_text('{\n  "version": "100.0.0"\n}\n')
    assert ready.install().code == 0
    assert not Path(old[3]).exists()
    assert len(ready.versions()) == 2


def test_a_broken_installation_of_the_same_version_is_made_anew(ready: Machine) -> None:
    old = ready.installation()
    Path(old[2]).write_text("raise SystemExit(2)")
    assert ready.install().code == 0
    assert ready.installation()[2] != old[2]
    assert ready.command_line("--version").code == 0


@table("name", ["with a space", "with 'quotes' and \"more\"", "with $HOME and `id`", "日本 é"])
def test_any_name_of_a_folder(tmp_path: Path, name: str) -> None:
    machine = Machine(tmp_path, name)
    assert machine.install().code == 0, machine.failed()
    assert machine.command_line("--version").code == 0
    assert machine.hook("SubagentStart").document["hookSpecificOutput"]


def test_a_folder_with_a_line_break_is_refused_with_a_reason(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "two\nlines")
    assert machine.install().code == 1
    assert machine.installation() == []
    assert machine.failed()
    assert machine.hook("PreToolUse").code == 0
