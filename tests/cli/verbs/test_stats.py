"""`lessons stats`: what each lesson did, one screen for people, the whole of it for programs."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lessons.cli.verbs.stats import sparkline
from tests.builders.client_lines import START
from tests.builders.home import DataHome
from tests.builders.lessons import lesson, stopping
from tests.builders.payloads import bash
from tests.builders.transcript import Session
from tests.cli.command_line import COLUMNS, CommandLine, widest
from tests.tables import table

WRONG = "Exit code 2\nerror: unknown option --bad"
TOTALS = (
    "opportunities shown heeded ignoredFailed falseAlarms stoppedCorrected stoppedRepeated overridden heldOut missed"
    " notDelivered unknown"
).split()
EFFECT = ("before", "after", "difference", "low", "high", "verdict")


class Agent:
    """An agent with the hook installed, and the transcript that it leaves."""

    def __init__(self, home: DataHome, lessons: CommandLine) -> None:
        self.home, self.lessons = home, lessons
        self.session = Session("s1")

    def run(self, command: str, result: str = "done") -> None:
        call = self.session.call("Bash", {"command": command})
        _, answer = self.home.run({**bash(command, session=self.session.id), "tool_use_id": call})
        denied = bool(answer) and "permissionDecision" in answer["hookSpecificOutput"]
        text = "PreToolUse:Bash hook error: no" if denied else result
        wrong = denied or result != "done"
        self.session.result(call, text, error=wrong, denial="permission-rule" if denied else None)

    def scan(self) -> None:
        folder: Path = self.lessons.work / "projects"
        self.session.write(folder)
        self.lessons.ok("scan", "--path", str(folder))


@pytest.fixture
def agent(home: DataHome, lessons: CommandLine) -> Agent:
    home.publish(lesson(), stopping(), lesson("quiet", stage="shadow", triggers={"commandPatterns": ["^make"]}))
    return Agent(home, lessons)


@pytest.fixture
def lived(agent: Agent) -> Agent:
    agent.run("git stash", WRONG)
    agent.run("git stash -u")
    agent.run("git reset --hard")
    agent.run("git reset --soft")
    agent.run("make")
    agent.scan()
    return agent


def test_nothing_yet(lessons: CommandLine, agent: Agent) -> None:
    ended = lessons("stats")
    assert (ended.code, ended.out, ended.error) == (0, "", "Nothing to show yet. Run `lessons scan` first.\n")
    assert lessons.json("stats")["lessons"] == []
    agent.run("ls")
    agent.scan()
    ended = lessons("stats")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error == (
        "No lesson has matched a call yet, and nothing was recalled. `lessons doctor` checks that the hook runs.\n"
    )
    assert "has not matched a call yet" in lessons("stats", "stash").error


def test_what_was_logged_since_the_last_scan_is_not_kept_silent(lessons: CommandLine, agent: Agent) -> None:
    agent.run("git stash", WRONG)
    for arguments in (("stats",), ("stats", "stash")):
        assert lessons(*arguments).error == "Not counted yet: 1 event of the hook. Run `lessons scan` first.\n"
    agent.scan()
    agent.run("git reset --hard")
    assert "Not counted yet: 1 event of the hook" in "\n".join(lessons.screen("stats"))


def test_the_document(lessons: CommandLine, lived: Agent) -> None:
    document = lessons.json("stats")
    assert document["since"] is None
    totals = document["totals"]
    assert totals.keys() >= set(TOTALS)
    expected = {"opportunities": 3, "shown": 2, "heeded": 1, "stoppedCorrected": 1, "shadowFine": 1}
    assert {key: value for key, value in totals.items() if value} == expected
    found = {one["slug"]: one for one in document["lessons"]}
    assert found.keys() == {"stash-leaves-files", "think-before-reset", "quiet"}
    for one in found.values():
        assert one.keys() >= {"slug", "effect", *TOTALS}
        assert one["effect"].keys() >= set(EFFECT)
        assert one["effect"]["verdict"] == "not enough data" and one["effect"]["moreSessions"] > 0
    assert found["stash-leaves-files"]["heeded"] == 1
    assert lessons.json("stats", "think") == {**document, "lessons": [found["think-before-reset"]], **_only(document)}


def _only(document: dict[str, Any]) -> dict[str, object]:
    """Totals and weeks of one lesson are those of that lesson, without memory."""
    (one,) = (one for one in document["lessons"] if one["slug"] == "think-before-reset")
    return {"totals": {key: one[key] for key in document["totals"]}, "weeks": one["weeks"], "memory": None, "cost": {}}


def test_one_screen(lessons: CommandLine, lived: Agent) -> None:
    lines = lessons.screen("stats")
    assert widest(lines) <= COLUMNS and len(lines) <= 24
    assert [line.split() for line in lines[:6]] == [
        ["this", "week", "in", "all"],
        ["spoken", "0", "2"],
        ["heeded", "0", "2"],
        ["ignored", "0", "0"],
        ["wrong", "0", "0"],
        ["repeats", "0", "0", "of", "mistakes", "of", "earlier", "sessions"],
    ]
    text = "\n".join(lines)
    assert re.search(r"stash-leaves-files +1 +1 +· +· +too early", text)
    assert len(re.findall(r"too early: about \d+ more matching sessions", text)) == 1


def test_this_week_and_what_repeats_cost(home: DataHome, lessons: CommandLine) -> None:
    """One repeat long ago, one now; the lesson is heeded now, which saves what the two cost on average."""
    home.publish(lesson())
    now = datetime.now(UTC)
    for number, began in enumerate((START, START, now - timedelta(hours=1))):
        session = Session(f"r{number}", began=began, model="claude-opus-5")
        wrong = session.call("Bash", {"command": f"gh pr diff {number} --stat"})
        session.result(wrong, "Exit code 1\nunknown flag: --stat", error=True)
        session.result(session.call("Bash", {"command": f"gh pr diff {number} --name-only"}), "done")
        session.write(lessons.work / "projects")
    agent = Agent(home, lessons)
    agent.session.began = now
    agent.run("git stash", WRONG)
    agent.run("git stash -u")
    agent.scan()
    document = lessons.json("stats")
    assert document["thisWeek"]["heeded"] == document["totals"]["heeded"] == 1
    assert [document["cost"][when]["repeats"] for when in ("thisWeek", "total")] == [1, 2]
    # A call of a message has 18,494 tokens, for 0.0115 dollars.
    assert [document["cost"][when]["tokens"] for when in ("thisWeek", "total")] == [18_494, 36_988]
    text = "\n".join(lessons.screen("stats"))
    assert re.search(r"heeded +1 +1  about 18.5 k tokens, \$0.01, .* saved", text)
    assert re.search(r"tokens +18.5 k +37.0 k\n +money +\$0.01 +\$0.02  about, list prices of", text)


def test_one_screen_with_many_lessons(home: DataHome, lessons: CommandLine) -> None:
    about = [f"program{number}" for number in range(30)]
    home.publish(*(lesson(f"a-slug-that-is-too-long-{name}", triggers={"commandPatterns": [name]}) for name in about))
    agent = Agent(home, lessons)
    for name in about:
        agent.run(name)
    agent.scan()
    lines = lessons.screen("stats")
    assert widest(lines) <= COLUMNS and len(lines) <= 24
    assert "22 more lessons" in "\n".join(lines)
    assert len(lessons.ok("stats").splitlines()) == 30


def test_one_lesson(lessons: CommandLine, lived: Agent) -> None:
    lines = lessons.screen("stats", "stash")
    text = "\n".join(lines)
    assert widest(lines) <= COLUMNS and len(lines) <= 24
    assert "shown once, prevented 1 mistake, wrong 0 times" in text
    said = " ".join(text.split())
    assert re.search(
        r"It needs about \d+ more sessions with a matching call: \d+ with the lesson, \d+ without it", said
    )
    assert "To get sessions without it, put it into shadow for a while or set holdoutRate." in said
    assert re.search(r"latest +\d{4}-\d\d-\d\d hint: heeded", text)


def test_what_you_said_of_a_lesson_is_shown(lessons: CommandLine, lived: Agent) -> None:
    assert "feedback" not in lessons.ok("stats", "stash")
    for verdict in ("bad", "good", "bad"):
        lessons.ok("feedback", "stash", verdict)
    assert "1 good, 2 bad" in lessons.ok("stats", "stash")


@table(("numbers", "drawn"), [([], ""), ([0, 0], "▁▁"), ([0, 1], "▁█"), ([1, 100], "▂█"), ([1, 2, 3, 4], "▂▄▆█")])
def test_sparkline(numbers: list[int], drawn: str) -> None:
    assert sparkline(numbers) == drawn
