"""A call that the user rejects: its hint does not count, and is shown again at the next such call, once."""

import json

import pytest

from tests.builders.home import context_of
from tests.builders.lessons import lesson
from tests.builders.payloads import Payload, failure
from tests.builders.rejected import Conversation
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects
from tests.flows.agent import Agent

SLUG = "stash-leaves-files"
ON_ERROR = {"errorPatterns": ["no such branch"]}


@pytest.fixture(params=["", "a7a6540f1856ccda9"], ids=["main", "subagent"])
def conversation(request: pytest.FixtureRequest, lessons: CommandLine) -> Conversation:
    return Conversation(projects(lessons), request.param)


def shown(agent: Agent, payload: Payload) -> bool:
    return bool(context_of(agent.run(payload)))


def add(lessons: CommandLine, triggers: object = None) -> None:
    record = lesson(SLUG, triggers=triggers) if triggers else lesson(SLUG)
    lessons.json("add", "--from", "-", text=json.dumps(record))


def delivered(lessons: CommandLine) -> list[object]:
    lessons.json("scan")
    return [event["delivered"] for event in lessons.json("log")["events"]]


def test_what_was_shown_does_not_come_again(lessons: CommandLine, agent: Agent, conversation: Conversation) -> None:
    add(lessons)
    for number in range(4):
        payload = conversation.payload()
        assert shown(agent, payload) is (number == 0)
        conversation.accepted(payload, error=number % 2 == 1)
    assert delivered(lessons) == [True]
    assert lessons.json("show", SLUG)["fired"] == {"hint": 1}


def test_what_was_lost_comes_again_until_it_arrives(
    lessons: CommandLine, agent: Agent, conversation: Conversation
) -> None:
    add(lessons)
    for _ in range(2):
        payload = conversation.payload()
        assert shown(agent, payload)
        assert not shown(agent, payload), "the person has not answered yet"
        conversation.rejected(payload)
    payload = conversation.payload()
    assert shown(agent, payload)
    conversation.accepted(payload)
    for _ in range(2):
        payload = conversation.payload()
        assert not shown(agent, payload)
        conversation.rejected(payload)
    assert delivered(lessons) == [False, False, True]
    assert lessons.json("show", SLUG)["fired"] == {"hint": 1}


def test_a_lesson_about_an_error_too(lessons: CommandLine, agent: Agent, conversation: Conversation) -> None:
    add(lessons, ON_ERROR)
    payload = conversation.payload("git switch x")
    assert shown(agent, failure(payload, "Exit code 1\nno such branch"))
    conversation.rejected(payload)  # stopped while it ran
    payload = conversation.payload("git switch y")
    assert shown(agent, failure(payload, "Exit code 1\nno such branch"))
    conversation.accepted(payload, error=True, event="PostToolUseFailure")
    payload = conversation.payload("git switch z")  # with other words: what keeps coming is answered in any case
    assert not shown(agent, failure(payload, "Exit code 128\nfatal: there is no such branch here"))
    assert delivered(lessons) == [False, True]


def test_contexts_do_not_share_what_was_lost(lessons: CommandLine, agent: Agent) -> None:
    add(lessons)
    main, other = Conversation(projects(lessons)), Conversation(projects(lessons), name="s2")
    lost, kept = main.payload(), other.payload()
    assert shown(agent, lost)
    assert shown(agent, kept)
    main.rejected(lost)
    other.accepted(kept)
    assert not shown(agent, other.payload())
    assert shown(agent, main.payload())
