"""Codex runs a hook only if the user trusts it: trust is read from config.toml, and never written."""

import json
from pathlib import Path

import pytest

from lessons.agents.codex.install import INSTALLER, _hash, trust_of
from lessons.agents.codex.wire import state_name
from lessons.agents.hook_command import is_ours, parse_command
from lessons.agents.hook_lines import in_settings

OTHERS = '{\n\t"description": "mine",\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}\n}\n'


def test_nothing_else_is_touched_and_trust_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "hooks.json"
    file.write_text(OTHERS)
    INSTALLER.install(str(file), str(tmp_path / "data"))
    document = json.loads(file.read_text())
    assert document.keys() == {"description", "hooks"}, "another key would make Codex drop the whole file"
    assert document["hooks"]["Stop"][0] == {"hooks": [{"type": "command", "command": "beep"}]}
    assert {path.name for path in tmp_path.iterdir()} == {"hooks.json", "hooks.json.lessons-backup", "data"}


def test_a_command_tells_what_it_was_built_from(tmp_path: Path) -> None:
    for event, command in INSTALLER.hook_commands(str(tmp_path)).items():
        parsed = parse_command(command)
        assert parsed == (event, "codex", str(tmp_path))
        assert is_ours(command) and parse_command(command + " ") is None


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    INSTALLER.install(str(tmp_path / "hooks.json"), str(tmp_path / "data"))
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
    assert not in_settings("codex", "PreToolUse"), "nobody has trusted it"
    _trust(person)
    assert in_settings("codex", "PreToolUse") and in_settings("codex", "SessionEnd")
    assert not in_settings("codex", "PostToolUseFailure")
    _trust(person, "enabled = false")
    assert not in_settings("codex", "PreToolUse")
    _trust(person)
    (person / "hooks.json").write_text(
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x lessons"}]}]}}'
    )
    assert not in_settings("codex", "PreToolUse")


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
