"""Calls that meet a condition are read as a whole, in batches, and what does not meet it is not."""

from pathlib import Path

from lessons.store.history import database, past_calls
from lessons.store.history.past_calls import Condition
from tests.builders.past import Past, failed, history_of, home_with


def test_only_what_is_kept_is_read(tmp_path: Path) -> None:
    home_with(tmp_path, *(Past(command=f"make {number}") for number in range(1_201)), failed("ls"))
    asked: list[str | None] = []

    def keep(text: str | None) -> bool:
        asked.append(text)
        return text != "make 7"

    with database.for_reading(str(tmp_path)) as connection:
        condition = Condition("instr(command, ?)", ["make"], "command")
        found = [past.command for past in past_calls.calls(connection, condition, keep, "")]
    assert len(asked) == 1_201
    assert sorted(found) == sorted(f"make {number}" for number in range(1_201) if number != 7)


def test_a_call_with_what_came_of_it_and_only_from_a_time_on() -> None:
    late = failed("ls", time="2026-09-02T00:00:00.000Z", project="/p", cwd="/c", session="s7", suspicious=True)
    with history_of(Past(command="ls"), late) as connection:
        (past,) = past_calls.calls(connection, Condition("1", [], "tool"), lambda tool: True, "2026-09-02")
    assert (past.tool_use_id, past.tool, past.command, past.error) == ("t1", "Bash", "ls", late.error)
    assert (past.cwd, past.project, past.session_id, past.time) == ("/c", "/p", "s7", late.time)
    assert (past.outcome, past.error_fingerprint, past.suspicious, past.path) == ("failed", "f1", 1, "")


def test_an_empty_history() -> None:
    with history_of() as connection:
        assert list(past_calls.calls(connection, Condition("1", [], "tool"), lambda tool: True, "")) == []
        assert past_calls.span(connection) == ("", "")
        assert past_calls.count_of(connection, ["t1"], "") == 0
