"""What a message used is the most that any of its records tells, counted once, in whatever order they are read."""

import itertools
from pathlib import Path

import pytest

from lessons.store.history.history import History
from lessons.store.history.sessions import FailedHooks
from tests.builders.client_lines import usage
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session


@pytest.fixture
def home(tmp_path: Path) -> ScannedHome:
    return ScannedHome(tmp_path)


def spent(home: ScannedHome) -> list[tuple[object, ...]]:
    return home.rows("SELECT session_id, messages, output_tokens, input_tokens FROM session_tokens ORDER BY 1")


def with_output(session: Session, *tokens: object) -> None:
    """Gives the last lines of the agent these numbers."""
    lines = [line for line in session.lines if line["type"] == "assistant"][-len(tokens) :]
    for line, number in zip(lines, tokens, strict=True):
        message = line["message"]
        assert isinstance(message, dict)
        message["usage"] = usage(number) if isinstance(number, int) else number


def test_the_lines_of_one_message_are_one_message(home: ScannedHome) -> None:
    session = Session("s1")
    session.think("hm")
    session.say("I look.", same_message=True)
    session.result(session.call("Bash", {"command": "ls"}, same_message=True), "a")
    with_output(session, 1, 40, 12)
    session.say("Done.")
    session.write(home.transcripts)
    home.scan()
    assert spent(home) == [(session.id, 2, 80, 6)]
    rows = home.rows("SELECT stop_reason, request_id, model, cache_read_tokens, cache_write_tokens FROM messages")
    assert {row[0] for row in rows} == {"tool_use", "end_turn"}
    assert all(str(row[1]).startswith("req_") and row[2:] == ("claude-x", 18240, 211) for row in rows)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_copies_count_once(order: tuple[int, ...], home: ScannedHome) -> None:
    first = Session("first")
    first.say("Hello.")
    sessions = [first, first.fork("second"), first.fork("third")]
    for number in order:
        sessions[number].write(home.transcripts)
        home.scan()
    assert spent(home) == [(min(each.id for each in sessions), 1, 40, 3)]


@pytest.mark.parametrize("wrong", [None, "many", {"output_tokens": "many"}, {"output_tokens": 1.5}, [], {}])
def test_what_is_no_number_costs_nothing_but_itself(wrong: object, home: ScannedHome) -> None:
    session = Session("s1")
    session.result(session.call("Bash", {"command": "ls"}), "a")
    with_output(session, wrong)
    session.write(home.transcripts)
    assert home.scan().coverage.problems == []
    assert home.commands() == {"ls"} and spent(home) == []


def test_numbers_that_nobody_can_mean_do_not_break_the_sums(home: ScannedHome) -> None:
    session = Session("s1")
    session.say("Hello.")
    with_output(session, {"output_tokens": 2**63 - 1, "input_tokens": -5})
    session.write(home.transcripts)
    home.scan()
    assert spent(home) == [(session.id, 1, 1 << 40, 0)]


def test_hooks_that_failed_at_the_end_of_turns(home: ScannedHome) -> None:
    session = Session("s1")
    session.turn_end()
    session.turn_end("notify: not found", "token ghp_0123456789abcdefghijABCDEFGHIJ012345")
    session.turn_end()
    session.write(home.transcripts)
    home.scan()
    with History.for_reading(home.path) as history:
        assert history.stop_hooks.failed_since("2027") == FailedHooks(0, 0)
        found = history.stop_hooks.failed_since("2026")
    assert (found.failed, found.turns, found.error) == (1, 3, "notify: not found")
    assert b"ghp_0123" not in home.file.read_bytes()


def test_how_long_each_hook_took_at_the_end_of_a_turn_and_why_it_stopped_the_agent(home: ScannedHome) -> None:
    session = Session("s1")
    odd = ["9", True, -1, 10**30, None]
    infos = [{"command": "lint", "durationMs": 41}, {"command": "notify"}, {"durationMs": 5}]
    session.turn_end(hookInfos=infos, preventedContinuation=True, stopReason="No: password=hunter22secret")
    session.turn_end(hookInfos=[{"command": "x", "durationMs": each} for each in odd], stopReason={"not": "a text"})
    session.write(home.transcripts)
    home.scan()
    rows = home.rows("SELECT commands, milliseconds, prevented, stop_reason FROM stop_hooks ORDER BY position")
    assert rows[0][:3] == ('["lint","notify"]', "[41,null]", 1) and str(rows[0][3]).startswith("No: ")
    assert rows[1] == ('["x","x","x","x","x"]', "[null,null,null,null,null]", 0, "")
    assert b"hunter22secret" not in home.file.read_bytes()
