"""Copilot CLI's own hook file: added and removed as a whole; other hooks in it stay."""

import json
import subprocess
from pathlib import Path

import pytest

from lessons.agents.copilot_cli import hook_in_settings, install, places
from lessons.errors import DamagedFile, Refused
from tests.conftest import SetVariable
from tests.tables import table


@table("content", [b"{", b'{"hooks": []}', b"\xff"])
def test_a_file_that_cannot_be_understood_is_left_alone(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    file.write_bytes(content)
    with pytest.raises((DamagedFile, Refused)):
        install.install(str(file), str(tmp_path))
    with pytest.raises((DamagedFile, Refused)):
        install.uninstall(str(file))
    assert file.read_bytes() == content


def test_it_comes_and_goes_without_a_trace(tmp_path: Path) -> None:
    file = tmp_path / "hooks" / "lessons.json"
    assert install.install(str(file), str(tmp_path), dry_run=True).changed and not file.exists()
    assert install.install(str(file), str(tmp_path)).changed
    document = json.loads(file.read_text())
    assert document["version"] == 1 and document["hooks"].keys() == install.REGISTRATIONS.keys()
    assert not install.install(str(file), str(tmp_path)).changed
    assert install.installed_commands(str(file)) == install.hook_commands(str(tmp_path))
    assert install.uninstall(str(file)).changed and not file.exists()


def test_hooks_of_others_stay_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    text = '{"version": 1, "hooks": {"PreToolUse": [{"type": "command", "bash": "true"}]}}'
    file.write_text(text)
    install.install(str(file), str(tmp_path))
    assert "true" in file.read_text()
    install.uninstall(str(file))
    assert file.read_text() == text


def test_the_file_of_a_repository_comes_with_a_warning(tmp_path: Path) -> None:
    file = places.settings_path("project", str(tmp_path), {})
    [warning] = install.install(file, str(tmp_path)).warnings
    assert "do not commit" in warning
    with pytest.raises(Refused):
        places.settings_path("machine", "", {})
    assert places.settings_path("user", "", {"COPILOT_HOME": "/c"}) == "/c/hooks/lessons.json"
    assert places.settings_path("user", "", {"HOME": "/h"}) == "/h/.copilot/hooks/lessons.json"


@pytest.mark.parametrize("event", install.REGISTRATIONS)
def test_whatever_is_missing_the_line_exits_0(event: str, tmp_path: Path) -> None:
    failing = tmp_path / "python"
    failing.write_text("#!/bin/sh\nexit 2\n")
    failing.chmod(0o755)
    command = install.hook_commands(str(tmp_path))[event]
    python = command.partition("python='")[2].partition("'")[0]
    for changed in (
        command.replace("entry.py", "gone.py"),
        command.replace(f"python='{python}'", "python='/gone'"),
        command.replace(f"python='{python}'", f"python='{failing}'"),
    ):
        assert changed != command
        for options in ((), ("-e",), ("-u",)):
            done = subprocess.run(["bash", *options, "-c", changed], input="{}", capture_output=True, text=True)
            assert done.returncode == 0


def test_its_own_hook_is_found_in_the_persons_file_alone(tmp_path: Path, variable: SetVariable) -> None:
    variable("COPILOT_HOME", str(tmp_path))
    file = tmp_path / "hooks" / "lessons.json"
    assert not hook_in_settings.in_settings("PreToolUse")
    install.install(str(file), str(tmp_path))
    assert all(hook_in_settings.in_settings(event) for event in install.REGISTRATIONS)
    file.write_text(file.read_text().replace("--agent copilot-cli", "--agent other"))
    assert not hook_in_settings.in_settings("PreToolUse")
