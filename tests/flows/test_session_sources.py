"""How a session starts decides what is reset, what is shown again and whether transcripts are read."""

import json
import os
import time

import pytest

from tests.builders.home import context_of
from tests.builders.lessons import in_own_words, lesson
from tests.builders.payloads import bash, in_subagent, session_start
from tests.cli.command_line import CommandLine
from tests.flows.agent import Agent

REMINDER = "Think of the reminder for the whole session."
CALLS = {"minor": "git stash", "at-the-threshold": "git fetch", "major": "git merge"}
RECORDS = (
    lesson("minor", priority=3),
    lesson("at-the-threshold", priority=7, triggers={"commandPatterns": ["git fetch"]}),
    lesson("major", priority=8, triggers={"commandPatterns": ["git merge"]}),
    lesson("reminder", injection=REMINDER, triggers={"sessionStart": True}),
)

# source -> which lessons are shown again, what is said (full or short protocol), whether a scan is started
TABLE: dict[str, tuple[set[str], str, bool]] = {
    "startup": ({"minor", "at-the-threshold", "major"}, "full", True),
    "resume": (set(), "", True),
    "fork": (set(), "", True),
    "clear": ({"minor", "at-the-threshold", "major"}, "full", False),
    "compact": ({"major"}, "short", False),
}


@pytest.fixture
def lived(lessons: CommandLine, agent: Agent) -> Agent:
    """A session in which every lesson was shown already."""
    records = [in_own_words(record) for record in RECORDS]
    lessons.json("add", "--from", "-", text=json.dumps(records))
    lessons.ok("config", "set", "lessonProtocol", "always")
    for command in CALLS.values():
        assert context_of(agent.run(bash(command)))
    return agent


def shown(agent: Agent, session: str | None = None) -> set[str]:
    payloads = {slug: bash(command, session=session) if session else bash(command) for slug, command in CALLS.items()}
    return {slug for slug, payload in payloads.items() if context_of(agent.run(payload))}


@pytest.mark.parametrize("source", TABLE)
def test_each_source(source: str, lived: Agent) -> None:
    again, protocol, scans = TABLE[source]
    os.utime(lived.scan_mark(), (1, 1))
    words = context_of(lived.run(session_start(source)))
    assert ("#lesson" in words, "\n#/lesson\n" in words) == (protocol != "", protocol == "full")
    assert (REMINDER in words) == (protocol != "")
    assert (lived.scan_mark().stat().st_mtime > 1) == scans
    assert shown(lived) == again


def test_a_fork_is_a_session_of_its_own(lived: Agent) -> None:
    assert lived.run(session_start("fork", session="forked")) == (0, None)
    assert shown(lived, "forked") == set(CALLS)
    assert shown(lived) == set()


def test_a_subagent_keeps_what_it_knows_when_its_parent_is_compacted(lived: Agent) -> None:
    payload = in_subagent(bash(CALLS["major"]))
    assert context_of(lived.run(payload))
    lived.run(session_start("compact"))
    assert lived.run(payload) == (0, None)
    lived.run(session_start("clear"))
    assert context_of(lived.run(payload))


def test_a_scan_is_due_when_the_last_one_is_long_ago(lessons: CommandLine, lived: Agent) -> None:
    hour_ago = time.time() - 3600
    os.utime(lived.scan_mark(), (hour_ago, hour_ago))
    lived.run(session_start("startup"))
    assert lived.scan_mark().stat().st_mtime == pytest.approx(hour_ago, abs=1)
    lessons.ok("config", "set", "autoScanIntervalHours", "1")
    lived.run(session_start("startup"))
    assert lived.scan_mark().stat().st_mtime > hour_ago + 1
