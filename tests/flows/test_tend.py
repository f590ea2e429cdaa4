"""The next step of a lesson: a story for each step, from transcripts and log to the undone step."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.builders.client_lines import START
from tests.builders.lessons import lesson
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects
from tests.store.history.test_hook_log import line

WRONG = "Exit code 2\nerror: unknown option --bad"
LONG_AGO = "2025-01-01T00:00:00Z"
DAY = f"{START:%Y-%m-%d}"


class Story:
    """An agent at work, a hook that logged what it did, and a person with the installed command."""

    def __init__(self, lessons: CommandLine) -> None:
        self.lessons = lessons
        self._sessions: dict[str, Session] = {}
        self._log: list[str] = []

    def record(self, *records: dict[str, object]) -> None:
        text = json.dumps({"lessons": [{"createdAt": LONG_AGO, **each} for each in records]})
        (self.lessons.home / "lessons.json").write_text(text, encoding="utf-8")

    def call(self, session: str, command: str, wrong: bool = False, decision: str = "", slug: str = "") -> None:
        made = self._sessions.setdefault(session, Session(session))
        call = made.call("Bash", {"command": command})
        denied = decision in ("stop", "block")
        text = "PreToolUse:Bash hook error: no" if denied else WRONG if wrong else "done"
        made.result(call, text, error=wrong or denied, denial="permission-rule" if denied else None)
        if decision:
            about = {"session": made.id, "toolUseId": call, "decision": decision, "slug": slug, "lesson": f"id-{slug}"}
            self._log.append(line(len(self._log), **about))

    def scan(self) -> None:
        """Everything happened today."""
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        for session in self._sessions.values():
            path = session.write(projects(self.lessons))
            path.write_text(path.read_text(encoding="utf-8").replace(DAY, today), encoding="utf-8")
        (self.lessons.home / "injections.jsonl").write_text("".join(self._log), encoding="utf-8")
        self.lessons.ok("scan")

    def steps(self) -> list[tuple[str, str]]:
        return [(each["slug"], each["step"]) for each in self.proposals()]

    def proposals(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.lessons.json("tend")["proposals"]
        return found

    def of(self, slug: str) -> dict[str, Any]:
        found: dict[str, Any] = self.lessons.json("show", slug)
        return {key: found.get(key) for key in ("stage", "block", "stopOnce", "triggers")}

    def assert_step(self, slug: str, step: str, **expected: object) -> dict[str, Any]:
        """It is proposed, made, recorded, not proposed again, and undone."""
        before = self.of(slug)
        assert self.steps() == [(slug, step)]
        proposed = self.proposals()[0]
        made = self.lessons.json("tend", "--yes")
        assert [(each["slug"], each["step"], each["reason"]) for each in made["made"]] == [
            (slug, step, proposed["reason"])
        ]
        after = self.of(slug)
        assert {key: after[key] for key in expected} == expected
        assert self.steps() == []
        lines = [json.loads(each) for each in (self.lessons.home / "decisions.jsonl").read_text().splitlines()]
        assert (lines[-1]["decision"], lines[-1]["step"]) == ("tended", step)
        assert f"{slug} is as it was before" in self.lessons.ok("undo")
        assert self.of(slug) == before
        history = [(each["decision"], each["step"]) for each in self.lessons.json("show", slug)["history"]]
        assert history == [("tended", step), ("undone", step)]
        return proposed


@pytest.fixture
def story(lessons: CommandLine) -> Story:
    return Story(lessons)


def test_a_lesson_that_does_well_is_left_alone(story: Story) -> None:
    story.record(lesson("stash"), lesson("new", stage="shadow", triggers={"commandPatterns": ["git rebase"]}))
    for number in range(4):
        story.call(f"s{number}", "git stash", wrong=True, decision="hint", slug="stash")
        story.call(f"s{number}", "git stash -u")
    story.call("s1", "git rebase", wrong=True, decision="shadow", slug="new")
    story.scan()
    assert story.proposals() == []
    assert "Nothing to change" in story.lessons("tend").error + story.lessons("tend").out
    assert story.lessons.json("tend", "--yes") == {"made": [], "refused": [], "proposals": []}


def test_shadow_to_active(story: Story) -> None:
    story.record(lesson("stash", stage="shadow"))
    for number in range(3):
        story.call(f"s{number}", "git stash", wrong=True, decision="shadow", slug="stash")
        story.call(f"s{number}", "git stash", wrong=number < 2, decision="shadow", slug="stash")
    story.scan()
    proposed = story.assert_step("stash", "activate", stage=None)
    assert proposed["evidence"]["failed"] == 5
    assert "5 of 6 calls" in proposed["reason"]


def test_the_next_session_says_that_something_waits(story: Story) -> None:
    story.record(lesson("stash"))
    story.call("s1", "ls")
    story.scan()
    lines = json.loads((story.lessons.home / "person-lines.json").read_text())
    assert lines["tend"]["text"] == "What 1 lesson did suggests a change. lessons tend"
    assert story.lessons.json("init", "--yes", "--no-install")["tend"] == 1
    story.lessons.json("tend", "--yes")
    assert "tend" not in json.loads((story.lessons.home / "person-lines.json").read_text())
