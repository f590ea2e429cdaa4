"""Hooks in the settings of every agent: added, found, and removed without a trace; the user's own text stays."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from lessons.agents import install as module
from lessons.agents.hook_command import places_of, write_script
from lessons.agents.hook_lines import in_settings
from lessons.agents.install import SettingsInstaller, read_text
from lessons.agents.places import settings_path
from lessons.agents.table import AGENTS, installer_of
from lessons.errors import DamagedFile, Refused
from tests.conftest import SetVariable
from tests.tables import table

# The agents whose settings have one entry per event, with an event of theirs.
EVENTS = {agent: row.written_event(next(iter(row.events))) for agent, row in AGENTS.items() if agent != "opencode"}
OTHER = '{"type": "command", "command": "echo hi"}'
REFUSED = [
    b'{\n  // why\n  "a": 1\n}\n',
    b'{"a": 1,}\n',
    b'{"hooks": 3}',
    b'{"hooks": null}',
    b'{"hooks": {"EVENT": null}}',
    b'{"hooks": {"EVENT": {"a": 1}}}',
    b"[]",
    b'{"a": "\xe9"}',
    b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}",
]
RESTORED = [
    b"",
    b" \n",
    b"\xef\xbb\xbf",
    b"{}",
    b"{ }\n",
    b"\xef\xbb\xbf{}\n",
    b'\xef\xbb\xbf{\r\n  "a": 1\r\n}\r\n',
    b'{\r\n    "a": 1,\r\n    "hooks": {}\r\n}\r\n',
    b'{\n\t"a": [1,2,3],\n\t"z": "\\ud800 \\u00e9 \xc3\xa9"\n}',
    b'{"a":1,"hooks":{}}',
    b'{"version": 1, "hooks": { }}',
    b'{"version": 1, "hooks": {"EVENT": []}}',
    b'{\n  "version": 1,\n  "hooks": {\n    "EVENT": [ ]\n  }\n}\n',
    b'{"version": 1, "hooks": {"EVENT": [OTHER]}}',
    b'{"version": 1, "hooks": {"EVENT": [{"hooks": [OTHER]}]}}',
    b'{"hooks": {"EVENT": []}, "hooks": {"EVENT": [{"hooks": [OTHER]}]}}',
    b'{"a": NaN, "b": 1e999, "c": 123456789012345678901234567890}',
]


SWITCHES = {"claude-code": "disableAllHooks", "qwen-code": "disableAllHooks", "gemini-cli": "hooksConfig"}


def installer(agent: str) -> SettingsInstaller:
    found = installer_of(agent)
    assert isinstance(found, SettingsInstaller)
    return found


def _content(agent: str, content: bytes) -> bytes:
    return content.replace(b"EVENT", EVENTS[agent].encode()).replace(b"OTHER", OTHER.encode())


def _file(agent: str, content: bytes, folder: Path) -> Path:
    file = folder / agent / "settings.json"
    file.parent.mkdir()
    file.write_bytes(_content(agent, content))
    return file


@pytest.mark.parametrize("agent", EVENTS)
@table("content", REFUSED)
def test_what_cannot_be_understood_is_left_alone(content: bytes, agent: str, tmp_path: Path) -> None:
    file = _file(agent, content, tmp_path)
    with pytest.raises((Refused, DamagedFile)):
        installer(agent).install(str(file), str(tmp_path / "home"))
    assert [(path.name, path.read_bytes()) for path in file.parent.iterdir()] == [(file.name, _content(agent, content))]


@pytest.mark.parametrize("agent", EVENTS)
@table("content", RESTORED)
def test_it_is_restored(content: bytes, agent: str, tmp_path: Path) -> None:
    file = _file(agent, content, tmp_path)
    installer(agent).install(str(file), str(tmp_path / "home"))
    installed = file.read_bytes()
    assert not installer(agent).install(str(file), str(tmp_path / "home")).changed
    assert file.read_bytes() == installed != _content(agent, content)
    assert installer(agent).installed_commands(str(file)) == installer(agent).hook_commands(str(tmp_path / "home"))
    installer(agent).uninstall(str(file))
    assert [(path.name, path.read_bytes()) for path in file.parent.iterdir()] == [(file.name, _content(agent, content))]


@pytest.mark.parametrize("agent", EVENTS)
def test_a_file_that_was_not_there_is_gone(agent: str, tmp_path: Path) -> None:
    file = tmp_path / "folder" / "settings.json"
    assert installer(agent).install(str(file), str(tmp_path), dry_run=True).changed and not file.parent.exists()
    installer(agent).install(str(file), str(tmp_path / "home"))
    events = json.loads(file.read_text())["hooks"]
    assert list(events) == [AGENTS[agent].written_event(event) for event in AGENTS[agent].events]
    installer(agent).uninstall(str(file))
    assert not file.exists()


def test_a_pipe_in_place_of_the_settings_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "settings.json")
    with pytest.raises(Refused, match="it is not a regular file"):
        installer("claude-code").install(str(tmp_path / "settings.json"), str(tmp_path / "home"))


def test_a_change_by_another_program_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.json"
    file.write_text("{}")

    def read_and_change(path: str) -> str | None:
        before = read_text(path)
        file.write_text('{"a": 1}')
        return before

    monkeypatch.setattr(module, "read_text", read_and_change)
    with pytest.raises(Refused, match="another program"):
        installer("codex").install(str(file), str(tmp_path))
    assert file.read_text() == '{"a": 1}'


@pytest.mark.parametrize("agent", SWITCHES)
def test_a_switch_that_silences_all_hooks_is_told(agent: str, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    off, on = ('{"enabled": false}', '{"enabled": true}') if agent == "gemini-cli" else ("true", "false")
    for value, is_told in ((off, True), (on, False)):
        file.write_text(f'{{"{SWITCHES[agent]}": {value}}}')
        warnings = installer(agent).install(str(file), str(tmp_path), dry_run=True).warnings
        assert [SWITCHES[agent] in warning and str(file) in warning for warning in warnings] == [True] * is_told


@pytest.mark.parametrize("agent", ["codex", "copilot-cli"])
def test_the_file_of_a_repository_comes_with_a_warning(agent: str, tmp_path: Path) -> None:
    [warning] = installer(agent).install(settings_path(agent, "project", str(tmp_path), {}), str(tmp_path)).warnings
    assert "do not commit it" in warning


def test_what_a_person_must_know_is_told(tmp_path: Path) -> None:
    assert "not been tested" in installer("cursor").install(str(tmp_path / "a"), str(tmp_path)).warnings[0]
    assert "/hooks" in installer("codex").install(str(tmp_path / "b"), str(tmp_path)).next_steps[0]


@pytest.mark.parametrize("agent", ["copilot-cli", "cursor"])
def test_its_own_hook_is_found_in_the_persons_file_alone(agent: str, tmp_path: Path, variable: SetVariable) -> None:
    variable("HOME", str(tmp_path))
    file = Path(settings_path(agent, "user", "", {"HOME": str(tmp_path)}))
    assert not in_settings(agent, "PreToolUse")
    installer(agent).install(str(file), str(tmp_path))
    assert all(in_settings(agent, event) for event in AGENTS[agent].events)
    file.write_text(file.read_text().replace(f" {agent};", " other;"))
    assert not in_settings(agent, "PreToolUse")


@pytest.mark.parametrize("shell", ["sh", "bash", "zsh", "dash", "fish"])
def test_any_shell_runs_the_command(shell: str, tmp_path: Path) -> None:
    """Codex runs it in the person's own shell."""
    if subprocess.run(["sh", "-c", f"command -v {shell}"], capture_output=True).returncode:
        pytest.skip(f"{shell} is not installed")
    write_script(places_of(str(tmp_path / "it's data")))
    command = installer("codex").hook_commands(str(tmp_path / "it's data"))["PreToolUse"]
    done = subprocess.run([shell, "-c", command], input="{}", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
