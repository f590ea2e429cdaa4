"""Installing and uninstalling restores every settings file byte for byte, whatever was in it."""

from importlib import import_module
from pathlib import Path

import pytest

from lessons.agents.settings_file import change
from lessons.errors import DamagedFile, Refused
from tests.tables import table

# Each agent with an event of its settings.
AGENTS = {
    "codex": "PreToolUse",
    "copilot_cli": "PreToolUse",
    "gemini_cli": "BeforeTool",
    "qwen_code": "PreToolUse",
    "cursor": "preToolUse",
}
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
    b'{"hooks": {"EVENT": [{"hooks": [OTHER]}], "EVENT": []}}',
    b'{"a": NaN, "b": 1e999, "c": 123456789012345678901234567890}',
]


def _file(agent: str, content: bytes, folder: Path) -> Path:
    file = folder / agent / "settings.json"
    file.parent.mkdir()
    file.write_bytes(_content(agent, content))
    return file


def _content(agent: str, content: bytes) -> bytes:
    return content.replace(b"EVENT", AGENTS[agent].encode()).replace(b"OTHER", OTHER.encode())


@pytest.mark.parametrize("agent", AGENTS)
@table("content", REFUSED)
def test_what_cannot_be_understood_is_left_alone(content: bytes, agent: str, tmp_path: Path) -> None:
    file = _file(agent, content, tmp_path)
    with pytest.raises((Refused, DamagedFile)):
        import_module(f"lessons.agents.{agent}.install").install(str(file), str(tmp_path / "home"))
    assert [(path.name, path.read_bytes()) for path in file.parent.iterdir()] == [(file.name, _content(agent, content))]


@pytest.mark.parametrize("agent", AGENTS)
@table("content", RESTORED)
def test_it_is_restored(content: bytes, agent: str, tmp_path: Path) -> None:
    file = _file(agent, content, tmp_path)
    module = import_module(f"lessons.agents.{agent}.install")
    module.install(str(file), str(tmp_path / "home"))
    installed = file.read_bytes()
    module.install(str(file), str(tmp_path / "home"))
    assert file.read_bytes() == installed != _content(agent, content)
    assert module.installed_commands(str(file))
    module.uninstall(str(file))
    assert [(path.name, path.read_bytes()) for path in file.parent.iterdir()] == [(file.name, _content(agent, content))]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_file_that_was_not_there_is_gone(agent: str, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    module = import_module(f"lessons.agents.{agent}.install")
    module.install(str(file), str(tmp_path / "home"))
    module.uninstall(str(file))
    assert not file.exists()


def test_a_change_by_another_program_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("{}")

    def planned(before: str | None) -> str:
        file.write_text('{"a": 1}')
        return '{"hooks": {}}'

    with pytest.raises(Refused):
        change(str(file), planned, dry_run=False)
    assert file.read_text() == '{"a": 1}'
