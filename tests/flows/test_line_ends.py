"""Files with Windows line ends are read like any other, and keep their line ends when edited."""

import json
from pathlib import Path

import pytest

from tests.builders import payloads
from tests.builders.home import DataHome, reason_of
from tests.builders.lessons import blocking, lesson
from tests.cli.command_line import CommandLine

RECORD = {**lesson("force-push"), "block": True, "blockReason": "no", "triggers": {"commandPatterns": ["git push -f"]}}


def with_two_characters(file: Path) -> None:
    data = file.read_bytes()
    assert b"\r" not in data
    file.write_bytes(data.replace(b"\n", b"\r\n"))


def ends(file: Path) -> tuple[int, int]:
    data = file.read_bytes()
    return data.count(b"\r\n"), data.count(b"\n")


@pytest.fixture
def lessons(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


def test_a_manifest_and_a_payload(tmp_path: Path) -> None:
    home = DataHome(tmp_path)
    home.publish(blocking())
    call = payloads.bash("git push --force\r\ngit status\r\n")
    data = json.dumps(call, indent=2).replace("\n", "\r\n").encode() + b"\r\n"
    assert "The branch is shared" in reason_of(home.run_raw("PreToolUse", data))
    manifest_file = home.folder / "lesson-manifest.json"
    manifest_file.write_bytes(manifest_file.read_bytes().replace(b",", b",\r\n") + b"\r\n")
    assert "The branch is shared" in reason_of(home.run_raw("PreToolUse", data))
    assert home.faults() == ""


def test_edits_keep_the_ends_of_the_lines(lessons: CommandLine) -> None:
    lessons.ok("add", "--from", "-", "--json", text=json.dumps(RECORD))
    lessons.ok("config", "set", "injectionBudgetBytes", "900", "--json")
    lessons.settings.parent.mkdir()
    lessons.settings.write_text('{\n  "model": "opus"\n}\n')
    files = [lessons.home / "lessons.json", lessons.home / "config.json", lessons.settings]
    for file in files:
        with_two_characters(file)
    original = lessons.settings.read_bytes()
    lessons("edit", "force-push", "--priority", "9", "--json")
    lessons("config", "set", "maxLessonsPerInjection", "2", "--json")
    lessons.ok("install", "--agent", "claude-code", "--json")
    for file in files:
        two, one = ends(file)
        assert two == one > 2, file
    assert lessons.json("show", "force-push")["priority"] == 9
    assert lessons.json("config", "get", "maxLessonsPerInjection")["value"] == 2
    lessons.ok("uninstall", "--agent", "claude-code", "--json")
    assert lessons.settings.read_bytes() == original
