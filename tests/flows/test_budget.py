"""A budget that is too small: what did not fit is shown at the next match, denials always work."""

import json

from tests.builders.home import context_of
from tests.builders.lessons import in_own_words, lesson
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine
from tests.flows.agent import Agent

LONG = "All that has to be said about it. " * 20


def add(lessons: CommandLine, *records: dict[str, object]) -> None:
    lessons.json("add", "--from", "-", text=json.dumps([in_own_words(record) for record in records]))


def test_a_lesson_that_did_not_fit_fires_at_the_next_match(lessons: CommandLine, agent: Agent) -> None:
    add(
        lessons,
        lesson("first", priority=9, injection=LONG),
        lesson("second", priority=5, injection=LONG, summary="A summary that is too long for what is left " * 2),
        lesson("third", priority=2, injection="Short."),
    )
    lessons.ok("config", "set", "injectionBudgetBytes", str(len(LONG) + 90))
    first = context_of(agent.run(bash("git stash")))
    assert LONG.strip() in first
    assert "Short." in first
    assert agent.log() == [("hint", "first"), ("hint", "third"), ("dropped", "second")]
    assert LONG.strip() in context_of(agent.run(bash("git stash")))
    assert agent.log()[3:] == [("hint", "second")]
    assert agent.run(bash("git stash")) == (0, None)


def test_as_a_summary_it_is_shown_and_seen(lessons: CommandLine, agent: Agent) -> None:
    add(lessons, lesson("first", priority=9, injection=LONG), lesson("second", injection=LONG))
    lessons.ok("config", "set", "injectionBudgetBytes", str(len(LONG) + 150))
    words = context_of(agent.run(bash("git stash")))
    assert words.endswith("**Lesson**: A lesson named second for the tests")
    assert len(words.encode()) <= len(LONG) + 150
    assert agent.run(bash("git stash")) == (0, None)


def test_no_more_lessons_than_wanted_at_once(lessons: CommandLine, agent: Agent) -> None:
    add(lessons, *(lesson(f"number-{number}", priority=9 - number) for number in range(4)))
    lessons.ok("config", "set", "maxLessonsPerInjection", "2")
    shown = [context_of(agent.run(bash("git stash"))) for _ in range(3)]
    assert [text.count("## Lesson") for text in shown] == [2, 2, 0]
    first, then = [f"number-{number}" for number in range(2)], [f"number-{number}" for number in range(2, 4)]
    told = [(what, slug) for what, some in (("hint", first), ("dropped", then), ("hint", then)) for slug in some]
    assert agent.log() == told
