"""A session works, is compacted and continues: it gets its state back, once, on its branch, and no other does.

Through the installed command lines, with payloads in the form of the real client.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lessons.continuity.restore import MOST_BYTES, SAVED_RECORD, SUMMARISER_WORDS
from tests.builders import payloads
from tests.builders.home import context_of
from tests.builders.payloads import Payload
from tests.builders.repository import Repository
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine
from tests.flows.agent import Agent

RECORD = "Record of this session's own work"
WORKED = "pytest -q tests/till -k 'vat and not \"old\"' --maxfail=1 | tail -n 3"
FAILED = "python -m till.export --month 2026-02"
OFFER = "`lessons handoff show`"


class Life:
    """One session of an agent in a project, as its hooks see it."""

    def __init__(self, lessons: CommandLine, agent: Agent, project: Repository, name: str = "first") -> None:
        self.lessons, self.agent, self.project = lessons, agent, project
        self.session = Session(name, cwd=project.root)
        self.transcript = lessons.work / f"{self.session.id}.jsonl"
        self.transcript.touch()

    def payload(self, make: Callable[..., Payload], *arguments: str) -> Payload:
        return payloads.with_transcript(
            make(*arguments, session=self.session.id, cwd=self.project.root), self.transcript
        )

    def run(self, make: Callable[..., Payload], *arguments: str) -> tuple[int, str]:
        return self.agent.printed(self.payload(make, *arguments))

    def start(self, source: str = "startup") -> str:
        return context_of(self.agent.run(self.payload(payloads.session_start, source)))

    def work(self) -> None:
        """A request, a command that works, one that fails, a changed file."""
        said = self.session
        said.prompt("Make the export of the till right.")
        said.result(said.call("Bash", {"command": WORKED}), "3 passed")
        said.result(said.call("Bash", {"command": FAILED}), "Exit code 3\nKeyError: 'month'", error=True)
        file = f"{self.project.root}/till.py"
        said.result(said.call("Edit", {"file_path": file, "old_string": "a", "new_string": "b"}), "done")
        self.write()

    def read(self, count: int) -> None:
        for number in range(count):
            call = self.session.call("Read", {"file_path": f"{self.project.root}/{number}.py"})
            self.session.result(call, "text")
        self.write()

    def write(self) -> None:
        self.transcript.write_bytes(self.session.data())

    def handoff(self) -> dict[str, Any]:
        found = list(self.agent.home.glob(f"projects/*/state/sessions/{self.session.id}/handoff.json"))
        return dict(json.loads(found[0].read_bytes())) if found else {}

    def state(self) -> dict[str, Any]:
        known = self.lessons("session", "--session", self.session.id, "--cwd", self.project.root, "--json")
        return dict(json.loads(known.out)["session"]) if known.code == 0 else {}


def eventually(look: Callable[[], Any]) -> Any:
    give_up = time.monotonic() + 30
    while not (found := look()):
        assert time.monotonic() < give_up, "it never came to that"
        time.sleep(0.02)
    return found


@pytest.fixture
def project(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "shop")
    made.commit("till.py", text="a\n", GIT_COMMITTER_DATE="2020-01-01T00:00:00Z")
    return made


@pytest.fixture
def life(lessons: CommandLine, agent: Agent, project: Repository) -> Life:
    """A session that has worked and is about to be compacted."""
    life = Life(lessons, agent, project)
    life.start()
    life.work()
    assert life.run(payloads.pre_compact) == (0, SUMMARISER_WORDS)
    return life


def test_on_another_branch_nothing(life: Life) -> None:
    life.project.git("switch", "-q", "-c", "another")
    assert RECORD not in life.start("compact")
    life.project.git("switch", "-q", "main")
    assert RECORD in life.start("compact"), "it was not used up"


def test_a_subagent_that_is_compacted_gets_nothing_of_it(life: Life) -> None:
    """Its events name the session and the transcript of its parent."""
    before = life.handoff()
    life.session.result(life.session.call("Bash", {"command": "make close"}), "closed")
    life.write()
    sent = payloads.in_subagent(life.payload(payloads.pre_compact))
    assert life.agent.printed(sent) == (0, SUMMARISER_WORDS)
    assert life.handoff() == before
    context = context_of(life.agent.run(payloads.in_subagent(life.payload(payloads.session_start, "compact"))))
    assert context == ""
    assert RECORD in life.start("compact"), "it was not used up"


@pytest.mark.parametrize("below", ["", "/vendor"])
def test_an_agent_that_changes_its_folder_stays_in_its_session(life: Life, tmp_path: Path, below: str) -> None:
    elsewhere = Repository(Path(life.project.root + below) if below else tmp_path / "elsewhere")
    began, life.project = life.project, elsewhere
    life.session.result(life.session.call("Bash", {"command": "make close"}), "closed")
    life.write()
    life.run(payloads.pre_compact)
    assert "make close" in life.start("compact")
    life.run(payloads.session_end)
    life.project = began
    eventually(lambda: life.state().get("endedAt"))
    assert len(list(life.agent.home.glob("projects/*/state/sessions/*"))) == 1


def test_restored_once_with_the_very_commands(life: Life) -> None:
    record = life.start("compact")
    assert record.startswith(f"{SAVED_RECORD}:\n> {RECORD} on branch main")
    assert len(record.encode()) <= MOST_BYTES
    assert WORKED in record and f"exit 3: {FAILED}" in record and "KeyError: 'month'" in record
    assert "Make the export of the till right." in record and "till.py" in record
    assert life.start("compact") == "", "a second time it is not there"
    assert life.agent.log() == []


def test_a_turn_that_ends_is_kept_in_the_background(lessons: CommandLine, agent: Agent, project: Repository) -> None:
    life = Life(lessons, agent, project)
    life.start()
    life.work()
    assert life.run(payloads.stop) == (0, "")
    handoff = eventually(life.handoff)
    assert (handoff["savedBy"], handoff["lastRequest"]) == ("stop", "Make the export of the till right.")


def test_the_end_and_the_offer_to_the_next(life: Life) -> None:
    assert life.run(payloads.session_end) == (0, "")
    state = eventually(lambda: (known := life.state()).get("endedAt") and known)
    assert (state["session"], state["endReason"]) == (1, "other")
    following = Life(life.lessons, life.agent, life.project, "second")
    context = following.start()
    assert context.count(OFFER) == 1 and "Make the export of the till right." in context.splitlines()[-1]
    # What notes the beginning runs in the background: only one that has been noted comes before the next.
    assert eventually(lambda: (known := following.state()) and known)["previous"]["sessionId"] == life.session.id
    third = Life(life.lessons, life.agent, life.project, "third")
    assert OFFER not in third.start(), "once"


def test_a_commit_is_joined_to_its_session_before_the_transcript_tells_of_it(life: Life) -> None:
    assert eventually(lambda: life.state().get("startedAt"))
    made = life.project.commit("Mend the export")
    life.run(payloads.post_tool_use, "git add -A && git commit -m 'Mend the export'")
    found = eventually(lambda: commits(life))
    assert [(each["hash"], each["sessionId"]) for each in found] == [(made, life.session.id)]


def commits(life: Life) -> list[dict[str, Any]]:
    files = list(life.agent.home.glob("projects/*/state/commit-log.jsonl"))
    return [json.loads(line) for file in files for line in file.read_bytes().splitlines()]
