"""A hand-edited lessons.json takes effect at the next session, and keeps its layout."""

import json
import os

from tests.builders.home import context_of, reason_of
from tests.builders.payloads import bash, session_start
from tests.cli.command_line import CommandLine
from tests.flows.agent import Agent

# As a person might write it: an order of their own, four spaces, a field that nobody knows, no ids made by us.
WRITTEN = """\
{
    "note": "kept in git by the whole team",
    "lessons": [
        {
            "owner": "Ada",
            "triggers": {
                "commandPatterns": ["make deploy"],
                "why": "it pages people"
            },
            "solution": "Ask in the channel first, then deploy together.",
            "slug": "deploy-together",
            "summary": "Deploying alone has gone wrong twice",
            "problem": "Nobody was there to help when the deploy broke.",
            "id": "deploy",
            "priority": 9
        }
    ],
    "version": 3
}
"""
CALL = bash("make deploy")


def write(lessons: CommandLine, text: str) -> None:
    """Newer than the last build even where a file system counts in seconds."""
    file = lessons.home / "lessons.json"
    file.write_text(text, encoding="utf-8")
    built = (lessons.home / "lesson-manifest.json").stat().st_mtime
    os.utime(file, (built + 1, built + 1))


def test_it_takes_effect_at_the_next_session(lessons: CommandLine, agent: Agent) -> None:
    write(lessons, WRITTEN)
    assert agent.run(CALL) == (0, None)
    agent.run(session_start("startup"))
    assert "Ask in the channel first" in context_of(agent.run(CALL))
    assert (lessons.home / "lessons.json").read_text(encoding="utf-8") == WRITTEN

    write(lessons, WRITTEN.replace('"priority": 9', '"block": true, "blockReason": "Together."'))
    agent.run(session_start("resume"))
    assert reason_of(agent.run(CALL)) == "Together."

    # What is broken leaves the last good build acting, and doctor tells.
    write(lessons, WRITTEN.replace('"version": 3', '"version": '))
    agent.run(session_start("startup"))
    assert reason_of(agent.run(CALL)) == "Together."
    told = lessons("doctor").out
    assert f"{lessons.home}/lessons.json is not valid JSON at line" in told
    assert "`lessons build` failed: run it to see why" in told


def test_an_edit_by_verb_keeps_order_layout_and_what_it_does_not_know(lessons: CommandLine, agent: Agent) -> None:
    write(lessons, WRITTEN)
    lessons.ok("edit", "deploy", "--priority", "4", "--tool", "Bash")
    text = (lessons.home / "lessons.json").read_text(encoding="utf-8")
    before, after = json.loads(WRITTEN), json.loads(text)
    [old], [new] = before["lessons"], after["lessons"]
    assert list(after) == list(before)
    assert list(new) == [*old, "contentHash", "updatedAt"]
    assert list(new["triggers"]) == ["commandPatterns", "why", "toolNames"]
    assert (new["owner"], new["triggers"]["why"], new["priority"]) == ("Ada", "it pages people", 4)
    kept = [line for line in WRITTEN.splitlines() if line in text.splitlines()]
    assert len(kept) >= len(WRITTEN.splitlines()) - 3
    assert context_of(agent.run(CALL))
    [copy] = (lessons.home / "backups").iterdir()
    assert copy.read_text(encoding="utf-8") == WRITTEN
