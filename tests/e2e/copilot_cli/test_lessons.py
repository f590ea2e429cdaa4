"""What the model of the real Copilot CLI gets, and which calls run."""

from typing import Any

from tests.builders.lessons import in_own_words, lesson
from tests.e2e.rig.chat_world import ChatWorld, CopilotWorld
from tests.e2e.rig.lesson_tests import HINT, ActsOnLessons
from tests.e2e.rig.script import call, say
from tests.e2e.rig.seen import seen


class TestCopilot(ActsOnLessons):
    def check_logged_hint(self, world: ChatWorld, event: dict[str, Any]) -> None:
        assert event["session"] == world.transcripts()[0].parent.name


def test_a_lesson_about_an_error_comes_with_it(installed: CopilotWorld) -> None:
    installed.add(lesson("errors", triggers={"errorPatterns": ["no matches found"]}))
    edits = installed.add(
        in_own_words(lesson("edits", triggers={"errorPatterns": ["no such file or directory, open"]}))
    )
    missing = {"path": str(installed.project / "none.txt"), "old_str": "a", "new_str": "b"}
    turns = [
        installed.shell("echo 'zsh: no matches found: *.x'; exit 1", "bad"),
        call("edit", missing, "edit"),
        say("Done."),
    ]
    talk = installed.run("Begin.", turns)
    assert HINT in talk.request(1).new and str(edits["solution"]) in talk.request(2).new
    seen("copilot-cli", "PostToolUse", "a lesson right after a failed call", True)


def test_a_subagent_is_hinted_at_in_its_own_context(installed: CopilotWorld) -> None:
    installed.add(lesson())
    task = {"description": "sub", "prompt": "SUBTASK go", "agent_type": "general-purpose", "name": "s", "mode": "sync"}
    turns = [installed.shell("git stash; true", "main"), call("task", task, "agent"), say("Done.")]
    routes = {"SUBTASK": [installed.shell("git stash; true", "sub"), say("Sub done.")]}
    talk = installed.run("Begin.", turns, routes)
    assert talk.on("SUBTASK")[1].text.count(HINT) == 1
    events = installed.log()
    assert len({event["session"] for event in events}) == 1 and len({event["agentId"] for event in events}) == 2
    seen("copilot-cli", "PreToolUse", "a subagent gets notes and hints of its own", True)
