"""A folder in, a data home with a few months of work out: mistakes, lessons and their effects.

Everything takes the usual path: scanned transcripts, lessons in lessons.json, decisions, and lines as the hook writes
them. The random seed is fixed: two calls build the same home.
"""

import json
import os
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, NamedTuple

from lessons.candidate import FAILURE
from lessons.prove.update import update_ledger
from lessons.scan.run import Options, run
from lessons.store import decisions, fired
from lessons.store.history.history import History
from tests.builders.lessons import lesson
from tests.builders.transcript import Session

MONDAY = datetime(2026, 2, 2, 9, 0, tzinfo=UTC)
WEEKS, SESSIONS_A_WEEK = 20, 6
_PROJECTS = ("/home/somebody/shop", "/home/somebody/garden", "/home/somebody/till")
_IN_SHADOW = 5
_ONCE = 0.3  # of the sessions make a mistake that no other makes
_NAMES = ("ash", "birch", "cedar", "elder", "fir", "hazel", "lime", "maple", "oak", "pine", "rowan", "yew")
_DENIAL = "Hook PreToolUse:Bash denied this tool"


class Topic(NamedTuple):
    """A mistake: how often a session comes to it, how often it then goes wrong, and what its lesson changes."""

    slug: str
    summary: str
    wrong: str
    error: str
    right: str
    pattern: str = ""  # of the trigger; empty: no lesson came of it
    kind: Literal["hint", "stop", "shadow"] = "hint"
    week: int = 0  # of the activation; before it the lesson was in shadow for some weeks
    comes_up: float = 0.3
    goes_wrong: float = 0.7
    with_lesson: float = 0.1  # how often it goes wrong once more although the lesson was read


TOPICS = (
    Topic("gh-diff-has-no-stat", "gh pr diff has no --stat: use --name-only", "gh pr diff {} --stat",
        "Exit code 1\nunknown flag: --stat", "gh pr diff {} --name-only", "gh pr diff .*--stat", "stop", 6),
    Topic("python3-not-python", "There is no python here: run python3", "python tools/till{}.py",
        "Exit code 127\n(eval):1: command not found: python", "python3 tools/till{}.py", "python ", "stop", 8, 0.4),
    Topic("all-namespaces", "kubectl lists all namespaces with --all-namespaces",
        "kubectl get pods --namespaces all -l shop={}", "Exit code 1\nerror: unknown flag: --namespaces",
        "kubectl get pods --all-namespaces -l shop={}", "kubectl get pods", "hint", 7, 0.35, 0.6, 0.15),
    Topic("rg-type-js", "rg knows JavaScript as --type js", "rg --type javascript till{}",
        "Exit code 2\nrg: unrecognized file type: javascript", "rg --type js till{}", "rg --type", "hint", 10, 0.4,
        0.5, 0.4),
    Topic("force-with-lease", "Push with --force-with-lease, never --force-lease",
        "git push --force-lease origin till-{}", "Exit code 129\nerror: unknown option `force-lease'",
        "git push --force-with-lease origin till-{}", "git push .*--force-lease", "stop", 13, 0.25),
    Topic("cargo-release", "cargo build has no --quick: use --release", "cargo build --quick -p shop{}",
        "Exit code 1\nerror: unexpected argument '--quick' found", "cargo build --release -p shop{}",
        "cargo build .*--quick", "shadow", 15, 0.25),
    Topic("jq-raw-output", "jq prints plain text with -r, not with --plain", "jq --plain .total till{}.json",
        "Exit code 2\njq: Unknown arguments: --plain", "jq -r .total till{}.json", "jq --plain", "hint", 19, 0.3),
    Topic("", "", "timeout {} make", "Exit code 127\n(eval):1: command not found: timeout", "gtimeout {} make",
        comes_up=0.2),
    Topic("", "", "npm run polish-{}", 'Exit code 1\nnpm error Missing script: "polish"', "npm run format -- {}",
        comes_up=0.18),
    Topic("", "", "docker compose up --detached {}", "Exit code 1\nunknown flag: --detached",
        "docker compose up --detach {}", comes_up=0.15),
    Topic("", "", "psql --database-name shop{}", "Exit code 1\npsql: error: unrecognized option '--database-name'",
        "psql --dbname shop{}", comes_up=0.1),
    Topic("", "", "terraform plan --output plan{}",
        "Exit code 1\nError: Failed to parse command-line flags\n\nflag provided but not defined: -output",
        "terraform plan -out plan{}", comes_up=0.1),
)  # fmt: skip


class Months:
    """The data home, the transcripts beside it, and the lines of the hook in the making."""

    def __init__(self, root: Path, weeks: int = WEEKS) -> None:
        self.home, self.transcripts = root / "data", root / "projects"
        self.path, self.weeks = str(self.home), weeks
        self._chance, self._log = random.Random(7), list[dict[str, object]]()
        for folder in (self.home, self.transcripts):
            folder.mkdir(parents=True, exist_ok=True)

    def fill(self) -> "Months":
        for number in range(self.weeks * SESSIONS_A_WEEK):
            self._session(number)
        records = [_record(topic) for topic in TOPICS if topic.pattern and topic.week < self.weeks]
        (self.home / "lessons.json").write_text(json.dumps({"lessons": records}), encoding="utf-8")
        log = "".join(json.dumps(line) + "\n" for line in self._log)
        (self.home / "injections.jsonl").write_text(log, encoding="utf-8")
        self.scan()
        self._decide()
        self.scan()
        self._mark_times()
        return self

    def _mark_times(self) -> None:
        """As if the hook and the scan had run when the last session ended."""
        last = (MONDAY + timedelta(weeks=self.weeks, hours=-30)).timestamp()
        for event in ("PreToolUse", "PostToolUse", "PostToolUseFailure", "SessionStart", "Stop", "SessionEnd"):
            fired.touch(self.path, event)
            os.utime(self.home / "fired" / event, (last, last))
        os.utime(self.home / "scan-state.json", (last, last))
        fault = "2026-05-04T11:20:31Z PreToolUse lesson rg-type-js: its pattern is too slow, not matched"
        (self.home / "faults.log").write_text(fault + "\n", encoding="utf-8")

    def scan(self) -> None:
        run(self.path, Options([str(self.transcripts)], processes=1), then=update_ledger)

    def _session(self, number: int) -> None:
        week = number // SESSIONS_A_WEEK
        began = MONDAY + timedelta(weeks=week, days=number % SESSIONS_A_WEEK, minutes=self._chance.randrange(300))
        model = "claude-opus-4-8" if week < self.weeks * 2 // 3 else "claude-opus-5"
        session = Session(f"months {number}", self._chance.choice(_PROJECTS), model=model, began=began)
        session.prompt("look after the shop")
        for topic in TOPICS:
            if self._chance.random() < topic.comes_up:
                self._topic(session, topic, number, _decision(topic, week))
            for call in range(self._chance.randrange(1, 4)):
                _good(session, f"ls shop-{call}")
        if self._chance.random() < _ONCE:
            self._mistake_made_once(session, number)
        session.write(self.transcripts)

    def _mistake_made_once(self, session: Session, number: int) -> None:
        program = f"{_NAMES[number % len(_NAMES)]}{_NAMES[number // len(_NAMES) % len(_NAMES)]}"
        wrong = session.call("Bash", {"command": f"{program} build {program}.toml"})
        session.result(wrong, f"Exit code 1\nerror: invalid value for {program}", error=True)
        _good(session, f"{program} build")

    def _topic(self, session: Session, topic: Topic, number: int, decision: str) -> None:
        wrong, right = topic.wrong.format(number), topic.right.format(number)
        goes_wrong = self._chance.random() < topic.goes_wrong
        again = self._chance.random() < (topic.with_lesson if decision in ("hint", "stop") else 0.6)
        call = session.call("Bash", {"command": wrong if goes_wrong else right})
        fires = decision != "" and (goes_wrong or topic.pattern in right)
        if fires:
            self._log.append(_injection(session, call, topic, decision))
        if fires and decision == "stop":
            session.result(call, f"{_DENIAL}: {topic.summary}", denial="permission-rule")
        elif goes_wrong:
            session.result(call, topic.error, error=True)
        else:
            session.result(call, "done")
            return
        if again:
            _good(session, f"ls till-{number}")
            session.result(session.call("Bash", {"command": wrong}), topic.error, error=True)
        _good(session, right)

    def _decide(self) -> None:
        """The person promoted what mining found."""
        with History.opened(self.path) as history:
            found = []
            for candidate in history.candidates.of_tier(FAILURE):
                for topic in TOPICS:
                    error = topic.error.rpartition("\n")[2]
                    if topic.pattern and topic.week < self.weeks and candidate.document.error.endswith(error):
                        found.append(_promoted(topic, candidate.fingerprint))
            decisions.append(self.path, found)
            decisions.apply(history)


def _good(session: Session, command: str) -> None:
    session.result(session.call("Bash", {"command": command}), "done")


def _decision(topic: Topic, week: int) -> str:
    """What the hook does where the lesson fires; empty: there is no lesson yet."""
    if not topic.pattern or week < topic.week - _IN_SHADOW:
        return ""
    return topic.kind if week >= topic.week else "shadow"


def _moment(topic: Topic) -> str:
    """When the lesson was made."""
    return f"{MONDAY + timedelta(weeks=topic.week - _IN_SHADOW) - timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"


def _record(topic: Topic) -> dict[str, object]:
    moment = _moment(topic)
    return lesson(
        topic.slug, summary=topic.summary, triggers={"commandPatterns": [topic.pattern], "matchOn": "invocation"},
        stopOnce=topic.kind == "stop", stage="shadow" if topic.kind == "shadow" else "active", createdAt=moment,
        updatedAt=moment,
    )  # fmt: skip


def _promoted(topic: Topic, fingerprint: str) -> decisions.Decision:
    return decisions.Decision(
        time=_moment(topic), id=f"id-{topic.slug}", action="promoted", fingerprint=fingerprint, slug=topic.slug
    )


def _injection(session: Session, call: str, topic: Topic, decision: str) -> dict[str, object]:
    return {
        "time": session.now(), "event": "PreToolUse", "agent": "claude-code", "session": session.id, "agentId": None,
        "toolUseId": call, "tool": "Bash", "cwd": session.cwd, "model": session.model, "lesson": f"id-{topic.slug}",
        "slug": topic.slug, "decision": decision, "why": "commandPatterns",
    }  # fmt: skip
