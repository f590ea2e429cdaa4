"""Transcripts in, a replay by hand out: each session mined after the other, lessons promoted by the command line, calls
matched with the hook's own index and the installed SessionStart command.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from lessons.agents.claude_code import wire
from lessons.agents.hook_event import AFTER_FAILURE, BEFORE_CALL
from lessons.hook.lookup import matching
from tests.builders.home import DataHome
from tests.builders.payloads import failure, pre_tool_use, session_start
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine


class Call(NamedTuple):
    """A call of a transcript and its result."""

    name: str
    tool: str
    arguments: dict[str, object]
    cwd: str
    error: str  # empty where it went well


class ByHand:
    """Everything is done in a data home of its own, which knows only the sessions that have ended."""

    def __init__(self, root: Path) -> None:
        root.mkdir()
        self.lessons = CommandLine(root)
        self.home = DataHome(root)
        self.folder = root / "projects"
        self.folder.mkdir()
        self.tried: dict[str, set[str]] = {}  # the evidence of each candidate when it was last tried
        self.mistakes: dict[str, set[str]] = {}  # of each lesson, by slug
        self.moments: Counter[tuple[str, str]] = Counter()
        self.good = self.alarms = 0

    def walk(self, sessions: list[Session], mistakes: dict[str, str]) -> None:
        """`mistakes` names the mistake of each failed call, as mining the whole history does."""
        ended: set[str] = set()
        for session in sorted(sessions, key=start_of):
            repeats = repeats_of(session, sessions, mistakes)
            if not repeats:
                if self.mistakes:  # what has been learned by now may disturb its good calls
                    self.put(session, repeats, mistakes)
                continue
            for other in sessions:
                if other.id not in ended and end_of(other) < start_of(session):
                    other.write(self.folder)
                    ended.add(other.id)
            self.learn(mistakes)
            self.put(session, repeats, mistakes)

    def learn(self, mistakes: dict[str, str]) -> None:
        """Scan what has ended, and promote every candidate that is new or has more evidence than when refused."""
        self.lessons.json("scan", "--path", str(self.folder))
        listed = self.lessons.json("candidates", "--all")["candidates"]
        calls = {each["fingerprint"]: {one["toolUseId"] for one in each["evidence"]} for each in listed}
        for name in [each["fingerprint"] for each in listed if each["tier"] == 2]:
            number, before = len(calls[name]), self.tried.get(name, set())
            if before == calls[name] or (number > 4 and number < 2 * len(before)):
                continue
            self.tried[name] = calls[name]
            ended = self.lessons("promote", name, "--yes", "--json")
            for made in json.loads(ended.out)["promoted"] if ended.out else ():
                together = [name, *self._merged_into(made["decision"]["id"])]
                named = {mistakes.get(call, "") for each in together for call in calls[each]}
                self.mistakes[made["lesson"]["slug"]] = named - {""}

    def _merged_into(self, decision: str) -> list[str]:
        """The near duplicates that a promotion took along."""
        lines = (self.home.folder / "decisions.jsonl").read_text(encoding="utf-8").splitlines()
        return [each["fingerprint"] for each in map(json.loads, lines) if each.get("partOf") == decision]

    def put(self, session: Session, repeats: set[str], mistakes: dict[str, str]) -> None:
        """Each repeat to the call, to the start and to the error, and every good call to the call."""
        calls = calls_of(session)
        shown = self.shown_at_start(session.id, calls[0].cwd)
        for call in calls:
            fires = self.fires(call)
            if not call.error:
                self.good, self.alarms = self.good + 1, self.alarms + fires
            if call.name not in repeats:
                continue
            mistake = mistakes[call.name]
            if fires:
                moment = "call"
            elif any(mistake in self.mistakes[slug] for slug in shown):
                moment = "start"
            else:
                moment = "error" if self.fires(call, call.error) else "missed"
            self.moments[mistake, moment] += 1

    def fires(self, call: Call, error: str = "") -> bool:
        payload = pre_tool_use(call.tool, call.arguments, cwd=call.cwd)
        payload = failure(payload, error) if error else payload
        made = wire.parse(str(payload["hook_event_name"]), payload)
        assert made and made.call
        return bool(matching(self.home.path, AFTER_FAILURE if error else BEFORE_CALL, made.call)[1])

    def shown_at_start(self, session_id: str, cwd: str) -> list[str]:
        before = len(self.home.log())
        self.home.run({**session_start("startup"), "session_id": session_id, "cwd": cwd})
        return [line["slug"] for line in self.home.log()[before:] if line["decision"] == "hint"]


def calls_of(session: Session) -> list[Call]:
    asked: dict[str, Call] = {}
    for line in session.lines:
        message: Any = line.get("message")
        for block in message["content"] if message and isinstance(message["content"], list) else ():
            if block["type"] == "tool_use":
                asked[block["id"]] = Call(block["id"], block["name"], dict(block["input"]), str(line["cwd"]), "")
            elif block["type"] == "tool_result" and block.get("is_error"):
                name = block["tool_use_id"]
                asked[name] = asked[name]._replace(error=block["content"])
    return list(asked.values())


def start_of(session: Session) -> str:
    return min(str(line["timestamp"]) for line in session.lines)


def end_of(session: Session) -> str:
    return max(str(line["timestamp"]) for line in session.lines)


def repeats_of(session: Session, sessions: list[Session], mistakes: dict[str, str]) -> set[str]:
    """The failed calls whose mistake another session had made before them."""
    times = {
        each["id"]: (str(line["timestamp"]), one.id) for one in sessions for line in one.lines for each in _uses(line)
    }
    found = set()
    for call in calls_of(session):
        own = mistakes.get(call.name)
        if own and any(
            mistakes.get(name) == own and other != session.id and time < times[call.name][0]
            for name, (time, other) in times.items()
        ):
            found.add(call.name)
    return found


def _uses(line: Any) -> list[dict[str, Any]]:
    content = line["message"]["content"] if "message" in line else ()
    return [block for block in content if isinstance(block, dict) and block["type"] == "tool_use"]
