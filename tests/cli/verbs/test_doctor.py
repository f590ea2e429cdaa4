"""`lessons doctor`: all is well, or each thing that is broken is named with what to do about it."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lessons.agents.hook_command import installed_script, script_text
from lessons.agents.hook_lines import hook_script_file
from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine

Break = Callable[[DataHome, Path], object]


@pytest.fixture
def healthy(home: DataHome, lessons: CommandLine) -> DataHome:
    home.write(lesson(examples={"fires": ["git stash"], "quiet": ["git status"]}), blocking())
    assert lessons("install").code == 0
    return home


def failing(lessons: CommandLine, *arguments: str, **variables: str) -> dict[str, tuple[str, str]]:
    """The checks that are not ok, by name, with detail and fix."""
    ended = lessons("doctor", *arguments, "--json", **variables)
    document = json.loads(ended.out)
    wrong = {check["name"]: (check["detail"], check["fix"]) for check in document["checks"] if not check["ok"]}
    assert (document["ok"], ended.code) == (not wrong, 1 if wrong else 0)
    assert all(fix for _, fix in wrong.values())
    return wrong


def change(file: Path, edit: Callable[[Any], object]) -> None:
    document = json.loads(file.read_text(encoding="utf-8"))
    edit(document)
    file.write_text(json.dumps(document), encoding="utf-8")


def command_of(settings: Any, event: str = "PreToolUse") -> Any:
    return settings["hooks"][event][0]["hooks"][0]


def python_gone(home: DataHome, settings: Path) -> None:
    script = Path(hook_script_file(home.path))
    script.write_text(script.read_text().replace("python='/", "python='/gone/"))


def rewrite(name: str, text: str, time: int | None = None) -> Break:
    def hurt(home: DataHome, settings: Path) -> None:
        (home.folder / name).write_text(text)
        if time:
            os.utime(home.folder / name, (time, time))

    return hurt


def publish(*records: dict[str, Any]) -> Break:
    return lambda home, settings: home.publish(*records)


def of_settings(edit: Callable[[Any], object]) -> Break:
    return lambda home, settings: change(settings, edit)


def no_manifest(home: DataHome, settings: Path) -> None:
    (home.folder / "lesson-manifest.json").unlink()
    (home.folder / "hook-index").unlink()


BUILD, EDIT, AGAIN = "Run `lessons build`.", "`lessons edit SLUG`", "Run `lessons install` again."
STALE = "stale: lessons.json, config.json or trusted.json has changed."
FAULT = "2026-01-01T00:00:00Z PreToolUse OSError 28"
BROKEN: list[tuple[Break, str, str, str]] = [
    (rewrite("lessons.json", "{"), "lessons.json", "is not valid JSON", "Fix the file"),
    (publish(lesson(), {"slug": "half"}), "lessons.json", "lesson 2: id is missing", "Fix the records."),
    (publish(lesson(triggers={"commandPatterns": ["("]})), "triggers and examples", '"(" is left out', EDIT),
    (
        publish(lesson(examples={"quiet": ["git stash"]})),
        *("triggers and examples", '"git stash" should be left alone and fires', EDIT),
    ),
    (rewrite("config.json", '{"minPriority": 99}', 1), "config.json", "minPriority in", "Fix it"),
    (no_manifest, "manifest", "missing, so no lesson fires.", BUILD),
    (rewrite("lesson-manifest.json", "{"), "manifest", "cannot be used", BUILD),
    (lambda home, settings: os.utime(home.folder / "lessons.json", (1, 1)), "manifest", STALE, BUILD),
    (rewrite("hook-index", "nothing"), "hook index", "the hook reads the manifest instead", BUILD),
    (rewrite("faults.log", f"{FAULT}\n"), "faults", f"1 logged, the last: {FAULT}", "faults.log"),
    (lambda home, settings: settings.unlink(), "settings", "No hook in", "Run `lessons install`."),
    (of_settings(lambda it: it["hooks"].pop("SubagentStart")), "settings", "lacks the hook for SubagentStart.", AGAIN),
    (lambda home, settings: settings.write_text("{"), "settings", "is not valid JSON", "Fix the file."),
    (of_settings(lambda it: it.update(disableAllHooks=True)), "settings", "disableAllHooks", "Fix the file."),
    (python_gone, "hook PreToolUse", "Its Python is missing: /gone/", AGAIN),
]


@pytest.mark.parametrize(("hurt", "name", "detail", "fix"), BROKEN)
def test_each_thing_that_is_broken_is_named_with_a_fix(
    hurt: Break, name: str, detail: str, fix: str, healthy: DataHome, lessons: CommandLine
) -> None:
    hurt(healthy, lessons.settings)
    wrong = failing(lessons)
    assert name in wrong, wrong
    assert detail in wrong[name][0]
    assert fix in wrong[name][1]


def test_all_is_well(healthy: DataHome, lessons: CommandLine) -> None:
    assert failing(lessons) == {}
    assert re.fullmatch(r"No problems found; \d\d checks passed \(-v lists them\)\.\n", lessons.ok("doctor"))
    ended = lessons("doctor", "--verbose")
    assert (ended.code, ended.error) == (0, "")
    lines = ended.out.splitlines()
    assert lines[-1] == "No problems found."
    assert all(line.startswith("ok    ") for line in lines[:-2])
    for event in ("PreToolUse", "PostToolUseFailure", "SessionStart"):
        assert f"ok    hook {event}: answers, in " in ended.out
    assert "last fired: never" in ended.out
    assert list(healthy.temporary.iterdir()) == []
    assert not (healthy.folder / "injections.jsonl").exists()


def test_when_a_hook_last_fired_is_told(healthy: DataHome, lessons: CommandLine) -> None:
    healthy.run(bash("ls"))
    checks = {check["name"]: check for check in lessons.json("doctor")["checks"]}
    assert checks["last fired"]["detail"].startswith("PreToolUse 20")
    assert checks["lessons.json"]["detail"] == "2 lessons."


def test_without_an_agent_nobody_can_have_a_hook(lessons: CommandLine) -> None:
    lessons.ok("build")
    assert failing(lessons) == {}
    said = lessons.ok("doctor", "-v")
    assert "ok    settings: No agent found on this machine. Once one is installed, `lessons install --agent" in said
    assert failing(lessons, "--agent", "claude-code").keys() == {"settings"}


def test_a_new_machine_is_told_what_to_do(lessons: CommandLine) -> None:
    place = str(lessons.work / "new")
    lessons.settings.parent.mkdir()
    assert failing(lessons, LESSONS_HOME=place).keys() == {"data home", "manifest", "settings"}
    words = lessons("doctor", LESSONS_HOME=place).out
    assert "FAIL  settings: No hook in " in words and words.count("→ Run `lessons init`.") == 2
    assert "      → Run `lessons install`.\n" in words
    assert re.search(r"\n3 problems found; \d+ checks passed \(-v lists them\)\.\n$", words)


def test_a_hook_that_works_on_other_lessons_is_told(healthy: DataHome, lessons: CommandLine) -> None:
    other = DataHome(lessons.work / "other")
    other.publish(lesson())
    wrong = failing(lessons, LESSONS_HOME=other.path)
    assert wrong.keys() == {"hook home"}
    assert healthy.path in wrong["hook home"][0]


def test_settings_of_a_project_and_of_a_named_file(healthy: DataHome, lessons: CommandLine) -> None:
    lessons("uninstall")
    assert failing(lessons).keys() == {"settings"}
    lessons("install", "--scope", "project")
    assert failing(lessons) == {}
    named = lessons.work / "named.json"
    assert str(named) in failing(lessons, "--settings", "named.json")["settings"][0]
    lessons("install", "--settings", "named.json")
    assert failing(lessons, "--settings", "named.json") == {}


def test_a_command_that_is_not_ours_is_never_run(healthy: DataHome, lessons: CommandLine) -> None:
    """Neither one that only mentions our file, nor one that has our form and names another program."""
    mark = lessons.work / "was-run"
    program = lessons.work / "program"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    program.chmod(0o755)

    def forge(settings: Any) -> None:
        command_of(settings)["command"] += f"; touch '{mark}'"
        command_of(settings, "SubagentStart")["command"] = f"{program} lessons/hook/entry.py SubagentStart"

    change(lessons.settings, forge)
    wrong = failing(lessons)
    assert wrong.keys() == {"hook PreToolUse", "hook SubagentStart"}
    assert {detail for detail, _ in wrong.values()} == {
        "The command is not what this version writes, so it is not run."
    }
    ours = installed_script(healthy.path)
    assert ours is not None
    script = Path(hook_script_file(healthy.path))
    forged = (script_text(ours._replace(python=str(program))), script_text(ours._replace(worker=str(program))))
    for text in (*forged, f"touch '{mark}'\n{script.read_text()}"):
        script.write_text(text)
        details = {detail for detail, _ in failing(lessons).values()}
        assert f"{script} is missing, or not what this version writes." in details
    assert not mark.exists()


@pytest.fixture
def warm(home: DataHome, lessons: CommandLine) -> Path:
    """The client's own file, with the server in it."""
    home.write(lesson())
    assert lessons("install", "--warm").code == 0
    return lessons.person / ".claude.json"


def test_what_is_wrong_with_the_server(warm: Path, lessons: CommandLine) -> None:
    text = warm.read_text()
    mark = lessons.work / "was-run"
    program = lessons.work / "program"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    program.chmod(0o755)
    [server] = json.loads(text)["mcpServers"].values()
    python = server["args"][4]
    for content, detail in (
        ("{}", "does not name the server that the hook asks."),
        (text.replace(python, str(program)), "is not what this version writes, so it was not started."),
        (text.replace("exit 0", f"touch '{mark}'"), "is not what this version writes"),
    ):
        warm.write_text(content)
        wrong = failing(lessons)
        assert wrong.keys() == {"server"}
        assert detail in wrong["server"][0]
        assert "install --warm`" in wrong["server"][1]
    assert not mark.exists()
    other = lessons.work / "client.json"
    other.write_text(text)
    assert failing(lessons, "--client-config", "client.json") == {}


@pytest.mark.parametrize("scope", ["user", "project"])
def test_a_hook_beside_that_of_the_plugin_is_told(home: DataHome, lessons: CommandLine, scope: str) -> None:
    """The plugin's stands back for a hook in the person's own settings, for no other."""
    home.write(lesson())
    lessons.ok("install", "--scope", scope)
    data = lessons.settings.parent / "plugins" / "data" / "lessons-lessons"
    entry = data / "versions" / "1" / "entry.py"
    entry.parent.mkdir(parents=True)
    entry.touch()
    (data / "installation").write_text(f"1.2.3\n{entry}\n{entry}\n{entry}\n/home\n")
    wrong = failing(lessons)
    assert wrong.keys() == ({"settings"} if scope == "project" else set())
    if wrong:
        assert "The plugin and" in wrong["settings"][0] and "--scope project" in wrong["settings"][1]
        lessons.ok("uninstall", "--scope", "project")
        assert failing(lessons) == {}


NOTE = (
    'note  warnings of the build: no-force-push: triggers.commandPatterns "push.*--force" does not begin with a known'
    " program or spans several commands, so it is searched in the whole command line: set triggers.matchOn to keep or"
    " change that.\n      → Change the lesson with `lessons edit SLUG`.\n"
)


def test_a_pattern_that_is_searched_in_the_whole_line_is_a_note(healthy: DataHome, lessons: CommandLine) -> None:
    healthy.publish(blocking(triggers={"commandPatterns": ["push.*--force"]}))
    assert lessons.ok("doctor").startswith(NOTE + "\nNo problems found; ")
    assert NOTE in lessons.ok("doctor", "-v")
    healthy.publish(blocking(triggers={"commandPatterns": ["push.*--force"], "matchOn": "command"}))
    assert lessons.ok("doctor").startswith("No problems found; ")
