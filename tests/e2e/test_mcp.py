"""`lessons mcp` in the real client: the model finds what failed before, and what it reports waits for the person."""

import json
import sys
from pathlib import Path

from tests.builders.lessons import lesson
from tests.e2e.rig.script import bash, call, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import ALLOWED, World

HINT = "Stash with -u, so that the untracked files go along."
TOOLS = ("search_lessons", "search_history", "report_lesson", "explain_lesson", "lesson_feedback")


def configured(world: World) -> list[str]:
    """The arguments with which the client starts the server."""
    lessons = str(Path(sys.executable).with_name("lessons"))
    server = {"command": lessons, "args": ["mcp"], "env": {"LESSONS_HOME": str(world.data)}}
    file = world.home / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"lessons": server}}), encoding="utf-8")
    return ["--mcp-config", str(file)]


def test_the_model_asks_and_reports(world: World) -> None:
    world.add(lesson())
    world.run("Begin.", [bash("ls --no-such-option"), bash("ls"), say("Done.")])
    world.lessons("scan")
    own = {"problem": "`ls --no-such-option` fails: there is no such option.", "solution": "Run `ls` without it."}
    turns = [
        call("mcp__lessons__search_lessons", {"query": "git stash"}, "lessons"),
        call("mcp__lessons__search_history", {"query": "no-such-option", "failed_only": True}, "history"),
        call("mcp__lessons__report_lesson", {**own, "command_pattern": "ls --no-such-option"}, "report"),
        call("mcp__lessons__lesson_feedback", {"slug": "stash-leaves-files", "verdict": "good"}, "feedback"),
        say("Done."),
    ]
    allowed = [*ALLOWED, *(f"mcp__lessons__{tool}" for tool in TOOLS)]

    talk = world.run("Begin.", turns, arguments=configured(world), allowed=allowed)

    results = talk.results()
    assert not any(result.is_error for result in results.values()), results
    assert HINT in results["lessons"].text
    assert "> ls --no-such-option" in results["history"].text and "quoted data" in results["history"].text
    [candidate] = [
        each
        for each in json.loads(world.lessons("candidates", "--all", "--json"))["candidates"]
        if each["kind"] == "report"
    ]
    assert candidate["source"].startswith("claude-code")
    assert [each["slug"] for each in json.loads(world.lessons("list", "--json"))["lessons"]] == ["stash-leaves-files"]
    assert world.faults() == ""
    seen("claude-code", "MCP", "tools of `lessons mcp` answer, a report waits for review", True)
