"""Which hints the model was sent, by what the transcripts say; where they say nothing, nothing is claimed."""

from pathlib import Path

import pytest

from lessons.store.history.delivered import Event, with_delivery
from tests.builders.client_lines import REJECTED
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session

AGENT = "a7a6540f1856ccda9"


def event(call: object, name: str = "PreToolUse", decision: str = "hint") -> Event:
    return {"event": name, "toolUseId": call, "decision": decision, "slug": "slug"}


def delivered(home: str, *events: Event) -> list[object]:
    return [each.get("delivered", "no word") for each in with_delivery(home, events)]


@pytest.fixture
def home(tmp_path: Path) -> ScannedHome:
    return ScannedHome(tmp_path)


class Calls:
    """The ids of calls that ended in all ways, in a thread of its own."""

    def __init__(self, session: Session) -> None:
        def called() -> str:
            return session.call("Bash", {"command": "git stash"})

        self.ran, self.failed, self.rejected, self.remark = called(), called(), called(), called()
        self.running, self.background, self.silent = called(), called(), called()
        self.stopped, self.cancelled = called(), called()
        session.hook_context(self.ran, "a fact")
        session.result(self.ran, "done")
        session.result(self.failed, "Exit code 1\nno", error=True)
        session.hook_context(self.failed, "a fact", "PostToolUseFailure")
        session.result(self.rejected, REJECTED, denial="user-rejected")
        session.hook_context(self.remark, "a fact")
        session.result(self.remark, REJECTED + " The user said: wait", denial="user-rejected")
        session.result(self.background, "Command running in background with ID: b1", background="b1")
        session.result(self.silent, "done")  # as older clients write it: they record nothing of what they send
        session.result(self.stopped, REJECTED, denial="interrupted")
        session.result(self.cancelled, "<tool_use_error>Sibling tool call errored</tool_use_error>", error=True)


def test_without_a_history_nothing_is_known_and_none_is_made(home: ScannedHome) -> None:
    assert delivered(home.path, event("toolu_1"), event(None), event("x", decision="stop")) == [None, None, "no word"]
    assert with_delivery(home.path, []) == []
    assert list(home.home.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"no database at all", b"SQLite format 3\0" + b"\xff" * 5000])
def test_with_a_damaged_history_nothing_is_known(home: ScannedHome, damage: bytes) -> None:
    home.file.write_bytes(damage)
    assert delivered(home.path, event("toolu_1")) == [None]
    assert home.file.read_bytes() == damage


@pytest.mark.parametrize("agent_id", ["", AGENT])
def test_every_end_of_a_call(home: ScannedHome, agent_id: str) -> None:
    session = Session()
    session.prompt("do it")
    calls = Calls(session.subagent(agent_id) if agent_id else session)
    session.write(home.transcripts)
    home.scan()
    expected = {
        calls.running: (None, None),
        calls.background: (None, None),
        calls.rejected: (False, False),
        calls.silent: (None, None),
        calls.failed: (None, True),
        calls.ran: (True, None),
        calls.remark: (True, False),
        calls.stopped: (False, False),
        calls.cancelled: (False, False),
        "toolu_of_another_machine": (None, None),
    }
    for call, answers in expected.items():
        assert delivered(home.path, event(call), event(call, "PostToolUseFailure")) == [*answers]


def test_of_other_decisions_and_events_nothing_is_said(home: ScannedHome) -> None:
    session = Session()
    calls = Calls(session)
    session.write(home.transcripts)
    home.scan()
    others = [event(calls.rejected, decision=decision) for decision in ("stop", "block", "shadow", "allowed")]
    others += [event(None, "SessionStart"), {}, {"decision": "hint"}, {"event": "PreToolUse"}]
    assert with_delivery(home.path, others) == others
    kept = event(calls.ran)
    assert with_delivery(home.path, [kept]) == [{**kept, "delivered": True}]
    assert "delivered" not in kept


@pytest.mark.parametrize("strange", [None, "", 7, [], {}, "\ud800", "a\0b", "x" * 10_000, "' OR 1=1 --", "%"])
def test_strange_ids(home: ScannedHome, strange: object) -> None:
    home.session("one", calls=3)
    home.scan()
    assert delivered(home.path, event(strange)) == [None]


def test_a_later_scan_knows_more(home: ScannedHome) -> None:
    session = Session()
    call = session.call("Bash", {"command": "git stash"})
    session.write(home.transcripts)
    home.scan()
    assert delivered(home.path, event(call)) == [None]
    session.result(call, REJECTED, denial="user-rejected")
    session.write(home.transcripts)
    home.scan()
    assert delivered(home.path, event(call)) == [False]
