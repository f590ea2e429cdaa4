"""Our hooks are added to hooks.json and removed; nothing else in it changes, and trust is never written."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from lessons.agents.codex import install as module
from lessons.agents.codex.hook_in_settings import in_settings, state_name
from lessons.agents.codex.install import REGISTRATIONS, hook_commands, install, installed_commands, uninstall
from lessons.agents.codex.places import settings_path, stem
from lessons.agents.codex.trust import _hash, trust_of
from lessons.agents.codex.wire import EVENTS
from lessons.agents.hook_command import is_ours, parse_command
from lessons.errors import Refused

OTHERS = '{\n\t"description": "mine",\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}\n}\n'


def test_nothing_else_is_touched_and_trust_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "hooks.json"
    file.write_text(OTHERS)
    report = install(str(file), str(tmp_path / "data"))
    assert report.changed and "/hooks" in report.next_steps[0]
    document = json.loads(file.read_text())
    assert document.keys() == {"description", "hooks"}, "another key would make Codex drop the whole file"
    assert document["hooks"]["Stop"][0] == {"hooks": [{"type": "command", "command": "beep"}]}
    assert {path.name for path in tmp_path.iterdir()} == {"hooks.json", "hooks.json.lessons-backup"}
    assert not install(str(file), str(tmp_path / "data")).changed
    assert installed_commands(str(file)).keys() == REGISTRATIONS.keys()
    uninstall(str(file))
    assert file.read_text() == OTHERS and not (tmp_path / "hooks.json.lessons-backup").exists()


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    report = install(str(tmp_path / "hooks.json"), str(tmp_path), dry_run=True)
    assert report.changed and "--agent codex" in report.diff and not list(tmp_path.iterdir())


def test_the_file_of_a_repository_is_not_for_others(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    [warning] = install(settings_path("project", str(tmp_path), {}), str(tmp_path)).warnings
    assert "do not commit it" in warning


@pytest.mark.parametrize("shell", ["sh", "bash", "zsh", "dash", "fish"])
def test_any_shell_runs_the_command(shell: str, tmp_path: Path) -> None:
    """Codex runs it in the person's own shell."""
    if subprocess.run(["sh", "-c", f"command -v {shell}"], capture_output=True).returncode:
        pytest.skip(f"{shell} is not installed")
    for event, command in hook_commands(str(tmp_path / "it's data")).items():
        done = subprocess.run([shell, "-c", command], input="{}", capture_output=True, text=True, env=os.environ)
        assert (done.returncode, done.stderr) == (0, ""), event


def test_a_command_tells_what_it_was_built_from(tmp_path: Path) -> None:
    for event, command in hook_commands(str(tmp_path)).items():
        parsed = parse_command(command)
        assert parsed is not None and (parsed.event, parsed.agent, parsed.home) == (event, "codex", str(tmp_path))
        assert is_ours(command) and "install --agent codex" in command
        assert parse_command(command + " ") is None and parse_command(command.replace("codex", "toy")) is None


def test_where_its_files_are() -> None:
    assert settings_path("user", "/p", {"HOME": "/h"}) == "/h/.codex/hooks.json"
    assert settings_path("user", "/p", {"HOME": "/h", "CODEX_HOME": "/c"}) == "/c/hooks.json"
    with pytest.raises(Refused):
        settings_path("team", "/p", {})
    name = "01a1e07d-21ee-79c3-88b9-1b95305ea5ff"
    for path in (f"rollout-2026-11-15T18-34-19-{name}.jsonl", f"rollout-{name}.jsonl.zst"):
        assert stem(f"/sessions/2026/11/15/{path}") == name
    assert stem("/sessions/odd.jsonl") == "odd"


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    install(str(tmp_path / "hooks.json"), str(tmp_path / "data"))
    return tmp_path


def _trust(folder: Path, more: str = "", hash_of: str = "") -> None:
    """What Codex writes when the person confirms."""
    file = str(folder / "hooks.json")
    tables = [
        f'[hooks.state."{file}:{state_name(event)}:0:0"]\ntrusted_hash = "{hash_of or expected}"\n{more}\n'
        for event, expected in _hashes(file).items()
    ]
    (folder / "config.toml").write_text("[hooks.state]\n\n" + "\n".join(tables))


def _hashes(file: str) -> dict[str, str]:
    document = json.loads(Path(file).read_text())["hooks"]
    return {event: _hash(event, groups[0]["hooks"][0], groups[0].get("matcher")) for event, groups in document.items()}


def test_the_plugin_stands_back_only_for_a_hook_that_runs(person: Path) -> None:
    assert not in_settings("PreToolUse"), "nobody has trusted it"
    _trust(person)
    assert in_settings("PreToolUse") and in_settings("SessionEnd")
    assert not in_settings("PostToolUseFailure")
    _trust(person, "enabled = false")
    assert not in_settings("PreToolUse")
    _trust(person)
    (person / "hooks.json").write_text(
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x lessons"}]}]}}'
    )
    assert not in_settings("PreToolUse")


def test_trust_is_read(person: Path) -> None:
    file, config = str(person / "hooks.json"), str(person / "config.toml")
    assert set(trust_of(file, config).values()) == {"untrusted"}
    _trust(person)
    assert set(trust_of(file, config).values()) == {"trusted"}
    _trust(person, hash_of="sha256:0")
    assert set(trust_of(file, config).values()) == {"changed"}
    _trust(person, "enabled = false")
    assert set(trust_of(file, config).values()) == {"disabled"}
    (person / "config.toml").write_text("[broken")
    with pytest.raises(ValueError):
        trust_of(file, config)


def test_the_hash_is_that_of_the_client() -> None:
    """Of a hook that Codex 0.166.0 listed with `hooks/list` on 17 November 2026."""
    listed = "sha256:ea9781f899674e990825d7f6138f4fe1fcf757602dcb515da30fe83610689b23"
    handler = {"type": "command", "command": "echo star >> /tmp/cx/plug.log", "timeout": 5}
    assert _hash("PreToolUse", handler, "*") == listed


def test_every_registered_event_is_known() -> None:
    assert module.REGISTRATIONS.keys() == EVENTS.keys()
