"""`lessons uninstall`: the settings as they were, the lessons kept."""

import json

from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.cli.command_line import CommandLine

TEXT = '{\n\t"model": "opus",\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n}'


def test_where_there_is_nothing_nothing_is_done(lessons: CommandLine) -> None:
    said = f"{lessons.settings} has no hook of lessons. Nothing to change.\n"
    assert lessons.ok("uninstall") == said
    assert not lessons.settings.parent.exists()
    lessons.settings.parent.mkdir()
    lessons.settings.write_text(TEXT)
    assert lessons.ok("uninstall") == said
    assert lessons.settings.read_text() == TEXT


def test_the_file_comes_back_byte_for_byte(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson())
    file = lessons.work / "mine.json"
    file.write_text(TEXT)
    arguments = ["--settings", "mine.json"]
    lessons.ok("install", *arguments)
    installed = file.read_text()
    diff = lessons.ok("uninstall", *arguments, "--dry-run")
    assert diff.startswith(f"--- {file}\n")
    assert file.read_text() == installed
    assert lessons.json("uninstall", *arguments, "--dry-run")["diff"] == diff
    kept = f"Your lessons and the history stay in {lessons.home}. To delete all of it, run: rm -r {lessons.home}\n"
    assert lessons.json("uninstall", *arguments, "--dry-run")["dataHome"] == str(lessons.home)
    assert lessons.ok("uninstall", *arguments) == f"Removed the hook from {file}.\n{kept}"
    assert file.read_text() == TEXT
    assert [path.name for path in lessons.work.iterdir()] == ["mine.json"]
    assert len(lessons.json("list")["lessons"]) == 1


def test_what_was_changed_meanwhile_stays(lessons: CommandLine) -> None:
    lessons("install")
    settings = json.loads(lessons.settings.read_text())
    settings["hooks"]["PreToolUse"][0]["hooks"].append({"type": "command", "command": "my-guard"})
    lessons.settings.write_text(json.dumps(settings))
    document = lessons.json("uninstall")
    assert (document["agent"], document["changed"]) == ("claude-code", True)
    left = json.loads(lessons.settings.read_text())["hooks"]
    assert list(left) == ["PreToolUse"]
    assert left["PreToolUse"][0]["hooks"] == [{"type": "command", "command": "my-guard"}]
