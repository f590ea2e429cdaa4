"""Copilot CLI also runs the hooks in Claude's settings of a trusted project: no text is shown twice."""

from tests.builders.lessons import blocking, lesson
from tests.e2e.rig.chat_world import CopilotWorld
from tests.e2e.rig.script import say
from tests.e2e.rig.seen import seen

HINT = "Stash with -u, so that the untracked files go along."
TRUSTED = ("--trust-folder",)


def test_with_hooks_of_both_only_its_own_answers(installed: CopilotWorld) -> None:
    installed.add(lesson())
    installed.lessons("install", "--agent", "claude-code", "--scope", "project")
    turns = [installed.shell("git stash; true", "a"), installed.shell("git stash; true", "b"), say("Done.")]
    talk = installed.run("Begin.", turns, arguments=TRUSTED)
    assert [text.count(HINT) for text in talk.said()] == [0, 1, 1]
    [event] = installed.log()
    assert (event["agent"], event["decision"]) == ("copilot-cli", "hint")
    seen("copilot-cli", "PreToolUse", "beside a hook in Claude's settings only its own answers", True)


def test_with_claudes_settings_alone_it_is_answered_in_its_own_form(world: CopilotWorld) -> None:
    world.add(lesson())
    world.add(blocking())
    world.lessons("install", "--agent", "claude-code", "--scope", "project")
    turns = [
        world.shell("git stash; true", "a"),
        world.shell("git push --force; touch it-ran", "b"),
        say("Done."),
    ]
    talk = world.run("Begin.", turns, arguments=TRUSTED)
    assert [text.count(HINT) for text in talk.said()] == [0, 1, 1]
    assert "The branch is shared." in talk.results()["b"].text and not (world.project / "it-ran").exists()
    assert [(event["agent"], event["decision"]) for event in world.log()] == [
        ("copilot-cli", "hint"),
        ("copilot-cli", "block"),
    ]
