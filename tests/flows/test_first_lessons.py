"""The first five minutes: from transcripts alone to lessons that fire in a replay, and one that is active."""

from tests.builders.home import context_of
from tests.builders.mistakes import MISTAKES, write_sessions
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects
from tests.flows.agent import Agent


def test_the_first_five_minutes(lessons: CommandLine) -> None:
    write_sessions(projects(lessons))
    lessons.ok("config", "set", "memory", "false")  # it would speak before any lesson acts
    lessons.ok("init", "--yes")
    agent = Agent(lessons)
    agent.keep_from_scanning()
    shadow = {each["slug"]: each for each in lessons.json("list", "--status", "shadow")["lessons"]}
    assert len(shadow) >= 5
    learned = [each for each in shadow.values() if each.get("sourceSessionIds")]
    assert len(learned) >= 2
    assert all(each["occurrenceCount"] == 3 for each in learned)
    at_calls = {slug for slug, each in shadow.items() if each["triggers"].get("commandPatterns")}

    # The agent makes the mistakes again and mends them: it is told nothing, and every match is on record.
    for mistake in MISTAKES:
        assert agent.run(bash(mistake.failed.format(12))) == (0, None)
        assert agent.run(bash(mistake.worked.format(12))) == (0, None)
    assert {slug for _, slug in agent.log()} == at_calls
    assert [decision for decision, _ in agent.log()] == ["shadow"] * len(at_calls)

    # One of them is let act: the agent reads it, once, and only where it is about to go wrong.
    mistake = MISTAKES[0]
    [fired] = lessons.json("try", mistake.failed.format(12))["lessons"]
    lessons.ok("edit", fired["slug"], "--stage", "active")
    assert agent.run(bash(mistake.worked.format(12))) == (0, None)
    assert "--name-only" in context_of(agent.run(bash(mistake.failed.format(12))))
