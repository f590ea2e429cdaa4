"""The plugin in the real client: it acts, its commands run, and nothing doubles beside a hook in the settings."""

import shutil
from pathlib import Path

import pytest

from tests.builders.lessons import lesson
from tests.e2e.plugin_world import PLUGIN, REPOSITORY, PluginWorld
from tests.e2e.rig.conversation import Conversation
from tests.e2e.rig.script import agent, bash, call, say

HINT = "Stash with -u, so that the untracked files go along."
PROTOCOL = "The user keeps notes on mistakes with `lessons`"


@pytest.fixture
def world(tmp_path: Path) -> PluginWorld:
    """With the package set up, and a lesson in it."""
    world = PluginWorld(tmp_path)
    world.be_set_up()
    world.add(lesson())
    world.lessons("config", "set", "lessonProtocol", "always")
    return world


@pytest.mark.parametrize("folder", [PLUGIN, REPOSITORY], ids=["plugin", "marketplace"])
def test_the_client_finds_no_fault_with_the_manifests(tmp_path: Path, folder: Path) -> None:
    assert "passed" in PluginWorld(tmp_path).claude("plugin", "validate", "--strict", str(folder))


def test_a_subagent_gets_protocol_and_hint_of_its_own(world: PluginWorld) -> None:
    routes = {"Stash it all": [bash("git stash; true"), say("Stashed.")]}
    talk = world.session(bash("git stash; true"), agent("Stash it all."), say("Done."), routes=routes)
    inside = [request.text for request in talk.on("Stash it all")]
    assert [text.count(HINT) for text in inside] == [0, 1]
    assert [text.count(PROTOCOL) for text in inside] == [1, 1]
    assert len(world.injections()) == 2


def test_beside_the_hook_in_the_settings_nothing_comes_twice(world: PluginWorld) -> None:
    world.install()
    routes = {"Stash it all": [bash("git stash; true"), say("Stashed.")]}
    talk = world.session(bash("git stash; true"), agent("Stash it all."), say("Done."), routes=routes)
    assert [text.count(HINT) for text in talk.said()] == [0, 1, 1]
    assert [text.count(PROTOCOL) for text in talk.said()] == [1, 1, 1]
    assert [request.text.count(PROTOCOL) for request in talk.on("Stash it all")] == [1, 1]
    assert len(world.injections()) == 2
    assert world.faults() == ""


def test_a_hook_in_a_repository_does_not_switch_it_off(world: PluginWorld) -> None:
    """Both answer: a lesson is told once all the same."""
    world.install("--scope", "project")
    talk = world.session(bash("git stash; true"), say("Done."))
    assert [text.count(HINT) for text in talk.said()] == [0, 1]
    assert [text.count(PROTOCOL) for text in talk.said()] == [2, 2]
    assert len(world.injections()) == 1
    assert world.faults() == ""


def test_installed_from_a_marketplace(world: PluginWorld) -> None:
    installation = world.data_of_plugin / "installation"
    world.claude("plugin", "marketplace", "add", str(REPOSITORY))
    world.claude("plugin", "install", "lessons@lessons")
    world.data_of_plugin = world.config / "plugins" / "data" / "lessons-lessons"
    world.data_of_plugin.mkdir(parents=True, exist_ok=True)
    installation.rename(world.data_of_plugin / "installation")
    talk = world.run("Begin.", [bash("git stash; true"), say("Done.")])
    assert [text.count(HINT) for text in talk.said()] == [0, 1]
    # The copy that the client keeps is whole: links in it have become what they led to.
    [copy] = (world.config / "plugins" / "cache").glob("lessons/lessons/*")
    assert (copy / "src" / "lessons" / "hook" / "entry.py").is_file()
    assert not [path for path in copy.rglob("*") if path.is_symlink()]
    assert str(copy) not in (world.settings.read_text("utf-8") + (world.data_of_plugin / "installation").read_text())


def test_what_is_deleted_in_the_middle_of_a_session_blocks_nothing_and_is_told_once(
    world: PluginWorld, tmp_path: Path
) -> None:
    world.plugin = tmp_path / "copy"
    shutil.copytree(PLUGIN, world.plugin, ignore=shutil.ignore_patterns("__pycache__"))
    turns = [
        bash("echo one"),
        bash("git stash; true").after(lambda: shutil.rmtree(world.data_of_plugin / "versions")),
        bash("git stash; false"),
        bash("git stash; true").after((world.data_of_plugin / "installation").unlink),
        bash("git stash; true").after(lambda: shutil.rmtree(world.plugin)),
        say("Done."),
    ]
    talk = world.session(*turns)
    assert [result.is_error for result in talk.results().values()].count(True) == 1, "the one that fails by itself"
    assert HINT not in talk.everything()
    assert_told_once(talk)


def assert_told_once(talk: Conversation) -> None:
    [told] = talk.told()
    assert "The lessons hook cannot start" in told
    assert "The lessons hook cannot start" not in talk.everything()


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("/lessons:help", ["`lessons help` in a terminal", "/lessons:review"]),
        ("/lessons:doctor", ["No problems found", "checks passed"]),
        ("/lessons:manage", ["stash-leaves-files"]),
        ("/lessons:stats", ["stash-leaves-files"]),
        ("/lessons:config", ["injectionBudgetBytes"]),
        ("/lessons:cancel", ["#lesson:cancel"]),
        ("/lessons:handoff", ["handoff"]),
        ("/lessons:review", ["one at a time"]),
        ("/lessons:scan", ["reads only new data"]),
        ("/lessons:add it hangs", ["What they said about it: it hangs"]),
    ],
)
def test_the_slash_commands(world: PluginWorld, prompt: str, words: list[str]) -> None:
    talk = world.session(say("Done."), prompt=prompt)
    told = talk.request(0).new
    assert all(word in told for word in words), told[-4000:]
    assert "${CLAUDE" not in told
    assert "lessons allow" not in told and "blocked call" not in told, "that is for the person"


def test_a_command_lets_the_agent_use_the_verbs_it_needs_and_no_others(world: PluginWorld) -> None:
    program = f'"{PLUGIN}/bin/lessons"'
    changes = [bash(f"{program} {verb} stash-leaves-files", verb) for verb in ("allow", "mute", "archive", "try")]
    talk = world.run(
        "/lessons:manage",
        [bash(f"{program} list", "list"), *changes, say("Done.")],
        arguments=("--plugin-dir", str(PLUGIN)),
        allowed=("Read",),
    )
    results = talk.results()
    assert "stash-leaves-files" in results.pop("list").text
    assert len(results) == len(changes)
    assert results.pop("try").text.count("requires approval") == 1
    for result in results.values():
        assert result.is_error and "only the user may run it" in result.text


def test_the_skill_is_offered_and_leads_to_the_command_line(world: PluginWorld) -> None:
    talk = world.run(
        "Begin.",
        [call("Skill", {"skill": "lessons:lessons"}), say("Done.")],
        arguments=("--plugin-dir", str(PLUGIN)),
        allowed=("Skill",),
    )
    assert "lessons:lessons" in talk.request(0).text
    assert f'"{PLUGIN}/bin/lessons" search' in talk.request(1).new
