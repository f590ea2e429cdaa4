"""The trigger of a candidate comes from the calls it rests on, or a reason says why there is none."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lessons.mistakes.good_calls import call_of
from lessons.promote.proposals import ANY, Family, Proposals, successes_of
from lessons.promote.publish.examples import fires
from lessons.store.history.candidates import ProposedTrigger
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall
from tests.builders.candidates import Seen, put
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session

WRONG = ("gh pr diff 7 --stat", "gh pr diff 12 --stat")
RIGHT = ("gh pr diff 7 --name-only", "gh pr diff 12 --name-only")


class Scanned:
    """A history with two failures, their fixes and other good calls of the family."""

    def __init__(self, root: Path) -> None:
        made = ScannedHome(root)
        session = Session("s1")
        self.failed = [session.call("Bash", {"command": command}) for command in WRONG]
        for name in self.failed:
            session.result(name, "Exit code 1\nunknown flag: --stat", error=True)
        self.fixed = [session.call("Bash", {"command": command}) for command in RIGHT]
        for name in self.fixed:
            session.result(name, "a.py")
        for number in range(10):
            session.result(session.call("Bash", {"command": f"gh pr diff {number}"}), "diff")
            session.result(session.call("mcp__web__open", {"url": f"http://a/{number}"}), "page")
        session.write(made.transcripts)
        made.scan()
        self.connection = sqlite3.connect(made.file, isolation_level=None)
        self.history = History(self.connection, made.path)

    def proposal(self, name: str = "f", **about: object) -> ProposedTrigger:
        put(self.connection, name, **about)  # type: ignore[arg-type]
        (stored,) = (each for each in self.history.candidates.with_status() if each.fingerprint == name)
        return Proposals(self.history).of(stored)


@pytest.fixture
def scanned(tmp_path: Path) -> Iterator[Scanned]:
    made = Scanned(tmp_path)
    with closing(made.connection):
        yield made


def test_a_correction_has_none(scanned: Scanned) -> None:
    seen = [Seen(failed=name) for name in scanned.failed]
    correction = scanned.proposal(tier=3, kind="correction", seen=seen)
    assert correction.triggers is None
    assert "session-start note" in str(correction.reason)


def test_calls_that_were_forgotten_give_none(scanned: Scanned) -> None:
    found = scanned.proposal(seen=[Seen(failed="gone")])
    assert found.triggers is None
    assert found.reason


def test_a_tag_without_a_usable_trigger(scanned: Scanned) -> None:
    found = scanned.proposal(tier=1, kind="tag", trigger="", error="")
    assert found == ProposedTrigger(reason="no trigger: the tag names none that can be used")


def test_a_tag_with_one(scanned: Scanned) -> None:
    found = scanned.proposal(tier=1, kind="tag", trigger="git stash", error="")
    triggers: dict[str, object] = {"toolNames": ["Bash"], "commandPatterns": [r"git stash\b"], "matchOn": "invocation"}
    assert found == ProposedTrigger(triggers)


def test_failures_and_fixes(scanned: Scanned) -> None:
    pairs = zip(scanned.failed, scanned.fixed, strict=True)
    seen = [Seen(failed=failed, fixed=fixed, uuid=failed) for failed, fixed in pairs]
    found = scanned.proposal(seen=seen, fixes=scanned.fixed)
    assert found.reason is None
    assert found.triggers is not None
    assert all(found.triggers.values())
    document: dict[str, object] = {"summary": "", "problem": "", "solution": "", "triggers": found.triggers}
    assert all(fires(document, {"command": command}) for command in WRONG)
    assert not any(fires(document, {"command": command}) for command in (*RIGHT, "gh pr diff 3", "gh run --stat"))


def test_the_family_of_a_tool_and_of_a_program(scanned: Scanned) -> None:
    assert len(successes_of(scanned.history, Family("Bash", "gh", "pr diff"))) == 12
    assert len(successes_of(scanned.history, Family("mcp__web__open", "", ""))) == 10
    assert successes_of(scanned.history, Family("Bash", "", "")) == []


def test_a_rule_of_the_client_is_for_its_own_agent(tmp_path: Path) -> None:
    """What a program says is so for every agent; what the client says of a command is a rule of that client."""
    made = ScannedHome(tmp_path)
    session = Session("s1")
    error = "<tool_use_error>Blocked: sleep 60 followed by: make. Use the background.</tool_use_error>"
    for name in ("a", "b"):
        session.result(session.call("Bash", {"command": f"sleep 60; make {name}"}), error, error=True)
        session.result(session.call("Bash", {"command": f"make {name}"}), "done")
    session.write(made.transcripts)
    made.scan()
    with closing(sqlite3.connect(made.file, isolation_level=None)) as connection:
        history = History(connection, made.path)
        [stored] = history.candidates.with_status()
        triggers = Proposals(history).of(stored).triggers
        assert triggers and triggers["when"] == {"agents": ["claude-code"]}
        assert {each.agent for each in stored.evidence} == {"claude-code"}


def test_good_calls_of_another_sub_command_count_too(tmp_path: Path) -> None:
    """Lines that also run what failed are stored under what they run first."""
    made = ScannedHome(tmp_path)
    session = Session("s1")
    failed, fixed = (session.call("Bash", {"command": f"git tag {word} v1"}) for word in ("--sing", "--sign"))
    session.result(failed, "Exit code 129\nerror: unknown option `sing'", error=True)
    session.result(fixed, "done")
    for number in range(5):
        session.result(session.call("Bash", {"command": f"git fetch; git tag --sing v{number}"}), "done")
    session.write(made.transcripts)
    made.scan()
    with closing(sqlite3.connect(made.file, isolation_level=None)) as connection:
        history = History(connection, made.path)
        assert len(successes_of(history, Family("Bash", "git", "tag"))) == 1
        assert len(successes_of(history, Family("Bash", "git", ANY))) == 6
        put(connection, "f", seen=[Seen(failed=failed, fixed=fixed, uuid=failed)], fixes=[fixed])
        (stored,) = (each for each in history.candidates.with_status() if each.fingerprint == "f")
        assert Proposals(history).of(stored).acts_at == "error"


def test_arguments_that_cannot_be_read() -> None:
    row = StoredCall("c1", "Bash", "make x", "{", "", "/a", "claude-code", "", "make", "")
    assert call_of(row).command == "make x"
