"""`lessons mcp` in a real client: the model finds earlier failures, and its reports wait for the user."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.builders.lessons import lesson
from tests.e2e.rig.conversation import Conversation
from tests.e2e.rig.script import Turn, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World

HINT = "Stash with -u, so that the untracked files go along."
TOOLS = ("search_lessons", "search_history", "report_lesson", "explain_lesson", "lesson_feedback")
COMMAND = str(Path(sys.executable).with_name("lessons"))

# The name of a tool, its arguments and the id of the call become a turn.
Call = Callable[[str, dict[str, object], str], Turn]


def assert_that_the_model_asks_and_reports(
    world: World, call: Call, talk: Callable[[Sequence[Turn]], Conversation]
) -> None:
    """`talk` is a session in which the client has started the server."""
    world.add(lesson())
    world.run("Begin.", [world.shell("ls --no-such-option"), world.shell("ls"), say("Done.")])
    world.lessons("scan")
    own: dict[str, object] = {
        "problem": "`ls --no-such-option` fails: there is no such option.",
        "solution": "Run `ls` without it.",
        "command_pattern": "ls --no-such-option",
    }
    turns = [
        call("search_lessons", {"query": "git stash"}, "call_about_the_lessons_01"),
        call("search_history", {"query": "no-such-option", "failed_only": True}, "call_about_the_history_01"),
        call("report_lesson", own, "call_with_the_report_0001"),
        call("explain_lesson", {"slug": "stash-leaves-files"}, "call_for_an_explanation_1"),
        call("lesson_feedback", {"slug": "stash-leaves-files", "verdict": "good"}, "call_with_the_feedback_01"),
        say("Done."),
    ]

    results = talk(turns).results()

    assert not any(result.is_error for result in results.values()), results
    assert HINT in results["call_about_the_lessons_01"].text
    history = results["call_about_the_history_01"].text
    assert "> ls --no-such-option" in history and "quoted data" in history
    assert "stash-leaves-files" in results["call_for_an_explanation_1"].text
    candidates = json.loads(world.lessons("candidates", "--all", "--json"))["candidates"]
    [candidate] = [each for each in candidates if each["kind"] == "report"]
    assert candidate["source"].startswith(world.agent)
    assert [each["slug"] for each in json.loads(world.lessons("list", "--json"))["lessons"]] == ["stash-leaves-files"]
    assert world.faults() == ""
    seen(world.agent, "MCP", "tools of `lessons mcp` answer, a report waits for review", True)
