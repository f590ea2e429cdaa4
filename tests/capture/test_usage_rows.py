import sqlite3
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from lessons.agents.base import Line
from lessons.agents.events import Answered
from lessons.capture.usage_rows import add_answer
from lessons.store.history import database, messages
from lessons.store.history.rows import MessageRow

NUMBERS = some.integers(0, 3)
ANSWERS = some.builds(
    Answered,
    some.sampled_from(["msg_1", "msg_2"]),
    some.sampled_from(["", "req_1", "req_2"]),
    some.sampled_from(["", "opus", "haiku"]),
    some.sampled_from(["", "tool_use", "end_turn"]),
    *(NUMBERS,) * 4,
)
LINES = some.builds(
    Line,
    some.just(0),
    session_id=some.sampled_from(["one", "two"]),
    agent_id=some.sampled_from(["", "sub"]),
    copied=some.booleans(),
    time=some.sampled_from(["", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]),
)
RECORDS = some.lists(some.tuples(ANSWERS, LINES))


def test_records_of_one_message_share_a_row() -> None:
    rows: list[MessageRow] = []
    first, last = Answered("msg", "req", "opus", "", 5, 1, 0, 0), Answered("msg", "req", "opus", "end_turn", 5, 9, 0, 0)
    add_answer(rows, first, Line(0, session_id="s", time="2026-01-01T00:00:01Z"), "s", "/shop")
    add_answer(rows, last, Line(9, session_id="s", time="2026-01-01T00:00:02Z"), "s", "/shop")
    (row,) = rows
    assert (row.time, row.stop_reason, row.output_tokens) == ("2026-01-01T00:00:01Z", "end_turn", 9)


@given(RECORDS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_table_is_that_of_a_row_for_each_record(tmp_path: Path, records: list[tuple[Answered, Line]]) -> None:
    together: list[MessageRow] = []
    apart: list[MessageRow] = []
    for answer, line in records:
        add_answer(together, answer, line, line.session_id, "/shop")
        alone: list[MessageRow] = []
        add_answer(alone, answer, line, line.session_id, "/shop")
        apart += alone
    with database.opened(str(tmp_path)) as connection:
        assert stored(connection, together) == stored(connection, apart)


def stored(connection: sqlite3.Connection, rows: list[MessageRow]) -> list[tuple[object, ...]]:
    connection.execute("DELETE FROM messages")
    messages.write(connection, "claude-code", rows)
    return connection.execute("SELECT * FROM messages ORDER BY message_id").fetchall()
