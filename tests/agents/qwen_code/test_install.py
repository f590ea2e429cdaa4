"""Our hooks are added to and removed from Qwen Code's settings; the user's own text stays unchanged."""

import json
from pathlib import Path

import pytest

from lessons.agents.qwen_code import install, places
from lessons.errors import Refused
from tests.conftest import SetVariable

OWN = '{"model": {"name": "x"}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}'


def test_they_come_and_go_without_a_trace(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text(OWN)
    assert install.install(str(file), str(tmp_path)).changed
    document = json.loads(file.read_text())
    assert document["hooks"].keys() == install.REGISTRATIONS.keys() and len(document["hooks"]["Stop"]) == 2
    assert not install.install(str(file), str(tmp_path)).changed
    assert install.installed_commands(str(file)) == install.hook_commands(str(tmp_path))
    install.uninstall(str(file))
    assert file.read_text() == OWN


def test_a_file_that_we_made_goes_again(tmp_path: Path) -> None:
    file = tmp_path / "new" / "settings.json"
    install.install(str(file), str(tmp_path))
    install.uninstall(str(file))
    assert not file.exists()


def test_switched_off_hooks_are_told(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"disableAllHooks": true}')
    [warning] = install.install(str(file), str(tmp_path), dry_run=True).warnings
    assert "disableAllHooks" in warning


def test_where_things_lie(tmp_path: Path, variable: SetVariable) -> None:
    assert places.settings_path("user", "", {"QWEN_HOME": "/q"}) == "/q/settings.json"
    assert places.settings_path("user", "", {"HOME": "/h"}) == "/h/.qwen/settings.json"
    assert places.settings_path("project", "/p", {}) == "/p/.qwen/settings.json"
    with pytest.raises(Refused):
        places.settings_path("machine", "", {})
    variable("QWEN_RUNTIME_DIR", str(tmp_path))
    assert places.roots()[0] == str(tmp_path / "projects")
    for project in ("-shop", "-shop-web", "-other"):
        (tmp_path / "projects" / project / "chats").mkdir(parents=True)
        (tmp_path / "projects" / project / "chats" / f"{project[1:]}.jsonl").touch()
    assert sorted(map(places.stem, places.conversations("/shop"))) == ["shop", "shop-web"]
    assert len(list(places.conversations(""))) >= 3
