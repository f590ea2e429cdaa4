"""From a recovery to a candidate: the hook asks, the agent writes a tag, the scan links it to the failure."""

import time
from pathlib import Path
from typing import Any

import pytest

from tests.builders.client_lines import START, STEP
from tests.cli.command_line import CommandLine
from tests.hook.test_recovery import NEXT, WORKS, Talk

TAG = """\
#lesson
tool: Bash
trigger: gh pr diff
error: unknown flag: --stat
unless: --name-only
scope: global
problem: gh pr diff has no option --stat, so the call fails
solution: List the changed files with `gh pr diff 7 --name-only`
#/lesson"""


class Session(Talk):
    """The same session, at the time that its transcript tells, in the data home of the command line."""

    def __init__(self, lessons: CommandLine, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder)
        self.home.folder, self.home.path = lessons.home, str(lessons.home)
        self.lessons = lessons
        monkeypatch.setattr(time, "time", lambda: (START + STEP * len(self.session.lines)).timestamp())

    def recover(self) -> None:
        self.fail()
        self.work()
        assert "#lesson" in self.work(NEXT)

    def scan(self) -> None:
        self.session.say("Done.")
        self.session.write(self.root)
        self.lessons.ok("scan", "--path", str(self.root))

    def tags(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.lessons.json("candidates", "--all", "--tier", "1")["candidates"]
        return found


@pytest.fixture
def talk(lessons: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    return Session(lessons, tmp_path / "talk", monkeypatch)


def test_what_nobody_asked_for_rests_on_nothing_and_a_code_block_is_no_tag(talk: Session) -> None:
    talk.work()
    talk.session.say(f"```\n{TAG}\n```")
    talk.scan()
    assert talk.tags() == []
    talk.session.say(TAG)
    talk.scan()
    [tag] = talk.tags()
    assert [(each["toolUseId"], each["fixToolUseId"]) for each in tag["evidence"]] == [(None, None)]
    assert tag["worded"] is None


@pytest.mark.parametrize("form", ["{}", "That was it.\n\n```\n{}\n```"])
def test_the_answer_is_linked_and_tested(talk: Session, form: str) -> None:
    talk.recover()
    failed, fix, _ = talk.session.calls
    talk.session.say(form.format(TAG))
    talk.scan()
    [tag] = talk.tags()
    assert (tag["tier"], tag["kind"]) == (1, "tag")
    assert [(each["toolUseId"], each["fixToolUseId"]) for each in tag["evidence"]] == [(failed, fix)]
    assert tag["worded"]["by"] == "claude-code" and tag["worded"]["citedToolUseIds"] == [failed]
    assert tag["scope"] == {"type": "global"}
    triggers = tag["proposedTrigger"]
    assert triggers["errorPatterns"][0] == r"unknown flag: --stat\b" and triggers["unless"] == [r"--name-only\b"]
    assert [event["decision"] for event in talk.lessons.json("log")["events"]] == ["asked"]
    assert talk.lessons.json("log", "--decision", "asked")["events"][0]["reason"].startswith("a failed call")
    assert talk.lessons.json("stats")["totals"]["shown"] == 0
    assert talk.lessons.json("try", WORKS)["decision"] == "none"


def test_what_the_history_speaks_against_stays_in_the_queue(talk: Session) -> None:
    """A remedy that skips a check is refused, but not lost."""
    talk.recover()
    skipping = TAG.replace("List the changed files", "Use --no-verify, and list the files")
    talk.session.say(skipping)
    talk.scan()
    [tag] = talk.tags()
    assert tag["worded"] is None and tag["evidence"][0]["toolUseId"] == next(iter(talk.session.calls))
    talk.scan()
    assert len(talk.tags()) == 1


def test_a_scan_asks_a_person_only_about_tags_that_nobody_asked_for(talk: Session) -> None:
    talk.lessons.ok("config", "set", "autoPromote", "true")
    talk.recover()
    talk.session.say(TAG)
    talk.session.say(TAG.replace("--stat", "--size").replace("gh pr diff", "gh pr list"))
    talk.session.say("Done.")
    talk.session.write(talk.root)
    terminal = talk.lessons.terminal("scan", "--path", str(talk.root))
    terminal.wait()
    stored = talk.lessons.json("list", "--status", "all")["lessons"]
    assert [each["problem"] for each in stored] == ["gh pr list has no option --size, so the call fails"]
