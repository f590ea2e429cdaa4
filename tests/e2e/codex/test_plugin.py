"""The Claude-format plugin in the real Codex: it answers in Codex's format, and nothing doubles beside hooks.json."""

import subprocess

import pytest

from tests.builders.lessons import blocking, lesson
from tests.e2e.codex.world import CodexWorld, shell
from tests.e2e.plugin_world import REPOSITORY, link_installation
from tests.e2e.rig import client
from tests.e2e.rig.script import say
from tests.e2e.rig.seen import seen

HINT = "Stash with -u, so that the untracked files go along."
PROTOCOL = "The user keeps notes on mistakes with `lessons`"


@pytest.fixture
def plugged(world: CodexWorld) -> CodexWorld:
    """With the plugin added as a person does it, and its package set up."""
    world.configure("http://127.0.0.1:9")
    for words in (["marketplace", "add", str(REPOSITORY)], ["add", "lessons@lessons"]):
        command = [client.binary("codex"), "plugin", *words]
        done = subprocess.run(command, env=world.environment(), cwd=world.project, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    link_installation(world.codex / "plugins" / "data" / "lessons-lessons", world.data)
    world.add(lesson())
    world.add(blocking())
    world.lessons("config", "set", "lessonProtocol", "always")
    return world


def _talk_of(world: CodexWorld) -> None:
    denied = "call_that_is_blocked_0001"
    turns = [shell("git stash list"), shell("git push --force; touch it-ran", denied), say("Done.")]
    talk = world.talk("Begin.", turns)
    assert [request.text.count(HINT) for request in talk.requests] == [0, 1, 1]
    assert [request.text.count(PROTOCOL) for request in talk.requests] == [1, 1, 1]
    assert "blocked by PreToolUse hook" in talk.results()[denied].text and not (world.project / "it-ran").exists()
    assert [event["decision"] for event in world.injections()] == ["hint", "block"]
    assert world.faults() == ""


def test_it_acts(plugged: CodexWorld) -> None:
    plugged.accept_hooks()
    _talk_of(plugged)
    seen("codex", "plugin", "the plugin of Claude Code acts", True)


def test_beside_the_hook_in_hooks_json_nothing_comes_twice(plugged: CodexWorld) -> None:
    plugged.install()
    plugged.accept_hooks()
    _talk_of(plugged)
    seen("codex", "plugin", "beside the hook in hooks.json nothing comes twice", True)


def test_a_hook_in_hooks_json_that_nobody_trusts_does_not_silence_it(plugged: CodexWorld) -> None:
    plugged.accept_hooks()
    plugged.install()
    _talk_of(plugged)
