"""`lessons install`, with and without --remove."""

import json
import re
from pathlib import Path

import pytest

from lessons.agents.table import AGENTS
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.cli.command_line import CommandLine

MINE = {
    "model": "opus",
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "my-guard"}]}],
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
    },
}
SERVER = re.compile(r"lessons-[0-9a-f]{8}")
NO_LESSONS = "No lessons yet. Run `lessons init` to make some, or `lessons add --starter`.\n"


def servers(client: Path) -> list[str]:
    """The names in the client's file."""
    return [*json.loads(client.read_text()).get("mcpServers", {})]


def test_what_cannot_be_meant(lessons: CommandLine) -> None:
    assert "'claude-code'" in lessons.refused("install", "--agent", "emacs", code=2)
    assert "project" in lessons.refused("install", "--scope", "world", code=2)
    assert "directory" in lessons.refused("install", "--settings", ".", code=2)


def test_a_dry_run_shows_the_change_and_makes_none(lessons: CommandLine) -> None:
    lessons.settings.parent.mkdir()
    lessons.settings.write_text('{\n  "model": "opus"\n}\n')
    diff = lessons.ok("install", "--dry-run")
    assert diff.startswith(f"--- {lessons.settings}\n+++ ")
    changed = [line for line in diff.splitlines()[2:] if line[0] in "+-"]
    assert sum("exit 0" in line for line in changed) == len(AGENTS["claude-code"].events)
    assert [line for line in changed if line[0] == "-"] == ['-  "model": "opus"']
    document = lessons.json("install", "--dry-run")
    assert (document["dryRun"], document["changed"], document["diff"]) == (True, True, diff)
    assert lessons.settings.read_text() == '{\n  "model": "opus"\n}\n'
    assert list(lessons.home.iterdir()) == []


def test_twice_is_as_good_as_once(lessons: CommandLine) -> None:
    first = lessons("install")
    assert first.out.startswith(f"Added the hook to {lessons.settings}. It works in every new session.\n")
    assert first.error == NO_LESSONS
    text, time = lessons.settings.read_text(), lessons.settings.stat().st_mtime_ns
    second = lessons("install")
    assert second.out == f"{lessons.settings} already has the hook. Nothing to change.\n"
    assert (lessons.settings.read_text(), lessons.settings.stat().st_mtime_ns) == (text, time)
    assert json.loads(text)["hooks"].keys() == AGENTS["claude-code"].events.keys()
    assert (lessons.home / "lesson-manifest.json").exists()


def test_other_hooks_and_settings_stay_as_they_are(lessons: CommandLine) -> None:
    lessons.settings.parent.mkdir()
    before = json.dumps(MINE, indent=4)
    lessons.settings.write_text(before)
    document = lessons.json("install")
    assert document | {"backup": ""} == {
        "agent": "claude-code",
        "file": str(lessons.settings),
        "changed": True,
        "nextSteps": [],
        "dryRun": False,
        "backup": "",
        "diff": None,
        "warm": False,
        "clientConfig": None,
    }
    after = json.loads(lessons.settings.read_text())
    assert list(after) == list(MINE)
    assert after["hooks"]["PreToolUse"][0] == MINE["hooks"]["PreToolUse"][0]  # type: ignore[index]
    assert after["hooks"]["Stop"][:-1] == MINE["hooks"]["Stop"]  # type: ignore[index]
    assert len(after["hooks"]["PreToolUse"]) == 2
    assert re.search(r'\n    "hooks": \{\n        "PreToolUse"', lessons.settings.read_text())


def test_a_project_has_a_file_that_is_not_shared(lessons: CommandLine) -> None:
    lessons("install", "--scope", "project")
    assert [path.name for path in (lessons.work / ".claude").iterdir()] == ["settings.local.json"]
    assert not lessons.settings.exists()
    other = lessons.person / "else" / "settings.json"
    lessons("install", "--scope", "project", "--settings", str(other))
    assert other.exists()
    elsewhere = lessons.person / "config"
    lessons("install", CLAUDE_CONFIG_DIR=str(elsewhere))
    assert (elsewhere / "settings.json").exists()


@pytest.mark.parametrize("agent", AGENTS)
def test_no_link_of_a_project_leads_to_a_file_elsewhere(agent: str, lessons: CommandLine) -> None:
    named = ("--agent", agent, "--scope", "project")
    victim = lessons.person / "victim"
    file = lessons.work / AGENTS[agent].project_settings
    for link, target in ((file, victim), (file.parent, lessons.person / "folder")):
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
        for verb in ("install", "uninstall"):
            assert f"{file} leads out of the project, to {lessons.person}/" in lessons.refused(verb, *named)
        assert not target.exists()
        link.unlink()
        if link == file:
            file.parent.rmdir()
    file.parent.symlink_to(lessons.work / "settings")  # inside it is fine
    lessons("install", *named)
    assert [path.name for path in (lessons.work / "settings").iterdir()] == [file.name]


def kept(lessons: CommandLine) -> str:
    home = lessons.home
    return f"Your lessons and the history stay in {home}. To delete all of it, run: rm -r {home}\n"


def test_warm_shown_done_and_taken_back(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson())
    client = lessons.person / ".claude.json"
    client.write_text('{"numStartups": 3}')
    diff = lessons.ok("install", "--warm", "--dry-run")
    assert (f"--- {lessons.settings}\n" in diff, f"--- {client}\n" in diff) == (True, True)
    document = lessons.json("install", "--warm", "--dry-run")
    both = document["diff"] + document["clientConfig"]["diff"]
    assert SERVER.sub("", both) == SERVER.sub("", diff)
    assert {*SERVER.findall(both)}.isdisjoint(SERVER.findall(diff))  # a new name each time
    assert client.read_text() == '{"numStartups": 3}'
    done = lessons.json("install", "--warm")
    assert (done["warm"], done["changed"], done["clientConfig"]["changed"]) == (True, True, True)
    assert done["clientConfig"] | {"changed": True} == {
        "file": str(client),
        "changed": True,
        "backup": None,
        "diff": None,
    }
    assert lessons.ok("install", "--warm").endswith("Nothing to change.\n")
    assert f"Server removed from {client}.\n" in lessons.ok("install")
    assert client.read_text() == '{"numStartups": 3}'
    assert [each["type"] for each in json.loads(lessons.settings.read_text())["hooks"]["PreToolUse"][0]["hooks"]] == [
        "command"
    ]
    lessons.ok("install", "--warm")
    text = client.read_text()
    assert {*SERVER.findall(lessons.settings.read_text())} == {*SERVER.findall(text)}
    assert f"Server added to {client}.\n" not in lessons.ok("install", "--warm")
    assert client.read_text() == text
    removed = f"Removed the hook from {lessons.settings}.\nRemoved the server from {client}.\n"
    assert lessons.ok("uninstall") == removed + kept(lessons)
    assert client.read_text() == '{"numStartups": 3}'
    assert [path.name for path in lessons.person.iterdir() if "backup" in path.name] == []


def test_the_server_stays_as_long_as_any_settings_ask_it(home: DataHome, lessons: CommandLine) -> None:
    client = lessons.work / "client.json"
    named = ["--client-config", "client.json"]
    lessons("install", "--warm", *named)
    lessons("install", "--warm", "--scope", "project", *named)
    assert not (lessons.person / ".claude.json").exists()
    assert lessons.json("uninstall", "--scope", "project", *named)["clientConfig"] is None
    assert servers(client)
    assert lessons.json("install", *named)["clientConfig"]["changed"] is True
    assert not client.exists()


def test_what_an_uninstall_leaves_in_other_agents_is_named(lessons: CommandLine) -> None:
    lessons("install", "--agent", "gemini-cli")
    lessons("install")
    said = lessons.ok("uninstall")
    assert "The hook is still in Gemini CLI (" in said and "`lessons uninstall --agent all` removes it" in said
    assert [each["agent"] for each in lessons.json("uninstall")["left"]] == ["gemini-cli"]
    assert "still in" not in lessons.ok("uninstall", "--agent", "all")
    assert lessons.json("uninstall")["left"] == []
