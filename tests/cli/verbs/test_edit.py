"""`lessons edit`: with flags, a JSON object or an editor; refused changes leave the file as it was."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.builders.home import DataHome, reason_of
from tests.builders.lessons import blocking, lesson
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine, finish

# Takes what the editor is to write from the files 1, 2, … of a folder, each time the next one.
EDITOR = """\
import pathlib, sys
folder = pathlib.Path(sys.argv[1])
number = len(list(folder.glob("seen-*"))) + 1
(folder / f"seen-{number}").write_bytes(pathlib.Path(sys.argv[2]).read_bytes())
pathlib.Path(sys.argv[2]).write_bytes((folder / str(number)).read_bytes())
"""


def stored(lessons: CommandLine, number: int = 0) -> dict[str, Any]:
    text = (lessons.home / "lessons.json").read_text(encoding="utf-8")
    record: dict[str, Any] = json.loads(text)["lessons"][number]
    return record


def editor(folder: Path, *texts: str) -> str:
    folder.mkdir()
    (folder / "editor.py").write_text(EDITOR)
    for number, text in enumerate(texts, start=1):
        (folder / str(number)).write_text(text, encoding="utf-8")
    return f"{sys.executable} {folder / 'editor.py'} {folder}"


@pytest.mark.parametrize(
    ("arguments", "text", "sentence"),
    [
        (["stash", "--summary", "Too short"], None, 'summary is "Too short": write at least 20 characters.'),
        (["stash", "--command-pattern", "("], None, 'triggers.commandPatterns has "("'),
        (["stash", "--command-pattern", ""], None, 'triggers.commandPatterns has "", which is empty'),
        (["stash", "--error-pattern", ""], None, 'triggers.errorPatterns has "", which is empty'),
        (["stash", "--block"], None, "blockReason is null while block is true: say why the call is denied."),
        (["stash", "--from", "-"], '{"priority": "high"}', 'priority is "high": write a whole number.'),
        (["stash", "--from", "-"], '{"slug": "no-force-push"}', "which another lesson has"),
        (["stash", "--from", "-"], '{"summary": null}', "summary is missing"),
        (["stash", "--from", "-"], "[{}, {}]", "2 records given: an edit takes one JSON object."),
        (["stach-leaves", "--priority", "3"], None, "perhaps stash-leaves-files is meant."),
        (["zzz", "--priority", "3"], None, 'There is no lesson "zzz": `lessons list --status all` shows them all.'),
    ],
)
def test_what_is_refused_changes_nothing(
    arguments: list[str], text: str | None, sentence: str, home: DataHome, lessons: CommandLine
) -> None:
    home.publish(lesson(), blocking())
    before = (lessons.home / "lessons.json").read_bytes()
    assert sentence in lessons.refused("edit", *arguments, text=text)
    assert (lessons.home / "lessons.json").read_bytes() == before


def test_without_a_change_it_is_usage(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson())
    assert "Nothing to change: give options, or --from FILE." in lessons.refused("edit", "stash", code=2)
    assert "Nothing to change" in lessons.refused("edit", "stash", "--json", code=2)


def test_flags_change_what_they_name_and_the_hook_knows(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), blocking())
    arguments = ["--block", "--block-reason", "Not today.", "--tag", "tool:git", "--tag", "topic:safety"]
    assert lessons.ok("edit", "stash", *arguments) == "Changed stash-leaves-files.\n"
    record = stored(lessons)
    assert (record["block"], record["blockReason"]) == (True, "Not today.")
    assert record["tags"] == ["tool:git", "topic:safety"]
    assert record["triggers"] == {"commandPatterns": ["git stash"]}
    assert record["contentHash"].startswith("sha256:")
    assert record["updatedAt"] > "2026"
    assert reason_of(home.run(bash("git stash"))) == "Not today."
    record = lessons.json("edit", "stash", "--command-pattern", "git stash$", "--stage", "shadow")
    assert record["triggers"] == {"commandPatterns": ["git stash$"]}
    assert home.run(bash("git stash")) == (0, None)


def test_an_object_is_merged_and_null_removes(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(mine=1, triggers={"commandPatterns": ["git stash"], "unless": ["-u"]}))
    changes = {"mine": None, "own": {"a": 1}, "triggers": {"unless": None, "toolNames": ["Bash"]}}
    record = lessons.json("edit", "stash", "--from", "-", text=json.dumps(changes))
    assert record["triggers"] == {"commandPatterns": ["git stash"], "toolNames": ["Bash"]}
    assert ("mine" in record, record["own"]) == (False, {"a": 1})
    assert record == stored(lessons)


def test_what_is_saved_in_the_editor_is_stored(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(mine="kept", triggers={"commandPatterns": ["git stash"], "unless": ["-u", "-a"]}))
    wanted = lesson(priority=9, other=1, triggers={"commandPatterns": ["git stash"]})
    folder = lessons.work / "editor"
    code, lines = finish(lessons.terminal("edit", "stash", VISUAL=editor(folder, json.dumps(wanted))))
    assert (code, lines) == (0, ["Changed stash-leaves-files."])
    assert json.loads((folder / "seen-1").read_text())["mine"] == "kept"
    record = stored(lessons)
    assert {key: record[key] for key in wanted} == wanted
    assert record.keys() - wanted.keys() == {"contentHash", "updatedAt"}


def test_what_cannot_be_stored_comes_back_into_the_editor(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson())
    folder = lessons.work / "editor"
    broken, refused = '{"summary": ', json.dumps(lesson(summary="Too short"))
    terminal = lessons.terminal("edit", "stash", EDITOR=editor(folder, broken, refused, json.dumps(lesson(priority=9))))
    terminal.expect(r"That is not JSON \(.*Continue editing\? \[Y/n\]")
    terminal.sendline("")
    terminal.expect(r"summary is .*write at least 20 characters.*Continue editing\?")
    terminal.sendline("y")
    assert finish(terminal)[0] == 0
    seen = [(folder / f"seen-{number}").read_text().strip() for number in (2, 3)]
    assert seen == [broken.strip(), refused]
    assert stored(lessons)["priority"] == 9
