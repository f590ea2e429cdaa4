"""One row for every call that happened, with the end that counts, whatever came first."""

import random
from itertools import permutations

from lessons.store.history.rows import Interrupt
from tests.store.history.history import History, Row, call, end, history, result
from tests.tables import table

EARLY, LATE = "2026-01-01T00:00:01Z", "2026-01-01T00:00:09Z"


def ended(made: History, name: str = "c1") -> tuple[object, ...]:
    (row,) = made.rows("SELECT outcome, exit_code, error, result_uuid FROM calls WHERE tool_use_id = ?", name)
    return row


def test_calls_are_numbered_in_the_order_of_the_transcript() -> None:
    names = [f"c{number}" for number in range(9)]
    with history() as made:
        made.write("/a", *(call(name, position=number) for number, name in enumerate(names)))
        assert made.rows("SELECT tool_use_id FROM calls ORDER BY id") == [(name,) for name in names]


def test_a_copy_is_no_second_call() -> None:
    with history() as made:
        made.write("/a", call("c1", session="s1"), result("c1"))
        made.write("/b", call("c1", session="s2", copied=True), result("c1", session="s2"))
        made.write("/c", call("c1", session="s0", copied=True))
        assert made.rows("SELECT tool_use_id, session_id FROM calls") == [("c1", "s1")]


@table("order", list(permutations("abc")))
def test_the_original_wins_over_copies_in_any_order(order: tuple[str, ...]) -> None:
    told = {
        "a": call("c1", session="s3", project="/original", position=7),
        "b": call("c1", session="s2", copied=True, project="/fork"),
        "c": call("c1", session="s1", copied=True, project="/another fork"),
    }
    with history() as made:
        for name in order:
            made.write(f"/{name}", told[name])
        (row,) = made.rows("SELECT session_id, project, cwd, position, copied FROM calls")
        assert row == ("s3", "/original", "/original", 7, 0)
        assert made.one("SELECT s.path FROM sources s JOIN calls c ON c.source_id = s.id") == "/a"


def test_a_result_may_come_before_its_call() -> None:
    with history() as made:
        made.write("/a", result("c1", "failed", error="boom", code=2))
        assert made.rows("SELECT * FROM calls") == []
        made.write("/b", call("c1"))
        assert ended(made) == ("failed", 2, "boom", "r1")
        assert made.rows("SELECT * FROM marks") == []
        assert made.found("boom") == ["c1"]


RESULTS: list[Row] = [
    result("c1", "unknown", ended=EARLY, uuid="told nothing"),
    result("c1", "failed", ended=EARLY, uuid="first", error="boom", code=1),
    result("c1", "ok", ended=LATE, uuid="second"),
    result("c1", "refused", ended="", uuid="without time"),
    result("c1", "ok", ended=LATE, uuid=""),
    call("c1"),
]


def test_of_several_results_the_first_that_tells_something_counts() -> None:
    chance = random.Random(1)
    for _ in range(60):
        with history() as made:
            for row in chance.sample(RESULTS, len(RESULTS)):
                made.write("/a", row)
            assert ended(made) == ("failed", 1, "boom", "first")
            assert made.found("boom") == ["c1"]


@table("call_first", [True, False])
@table("hides_exit", [True, False])
def test_a_success_is_suspicious_only_where_its_exit_is_hidden(hides_exit: bool, call_first: bool) -> None:
    rows: list[Row] = [call("c1", hides_exit=hides_exit), result("c1", error="no such file", suspicious=True)]
    with history() as made:
        for row in rows if call_first else reversed(rows):
            made.write("/a", row)
        kept = ("ok", 1, "no such file") if hides_exit else ("ok", 0, "")
        assert made.rows("SELECT outcome, suspicious, error FROM calls") == [kept]
        assert made.found("file") == (["c1"] if hides_exit else [])


def test_every_call_that_a_stretch_speaks_of_is_met() -> None:
    with history() as made:
        first = made.write("/a", call("c1"), call("c2"))
        again = made.write("/b", call("c1"), result("c2"), result("nobody's"))
        assert len(first.calls) == 2
        assert again.calls == first.calls


def told(made: History) -> tuple[object, ...]:
    (row,) = made.rows("SELECT outcome, error FROM calls WHERE tool_use_id = 'c1'")
    return row


def after(rows: tuple[Row, ...], apart: bool = True) -> tuple[object, ...]:
    """How the call stands when these rows came one by one, or all at once."""
    with history() as made:
        for part in [[row] for row in rows] if apart else [rows]:
            made.write("/a", *part)
        return told(made)


STARTED = result("c1", "unknown", task="b1")


@table(
    ("rows", "outcome"),
    [
        ((result("c1", "ok"), Interrupt("s1", "m1")), "ok"),
        ((result("c1", "failed"), Interrupt("s1", "m1")), "failed"),
        ((result("c1", "refused"), Interrupt("s1", "m2")), "refused"),
        ((result("c1", "ok"), end("failed", task="b1", name="c1")), "ok"),
        ((STARTED, end("ok", task="b2")), "unknown"),
        ((STARTED, end("ok", task="b1", session="s2")), "unknown"),
        ((STARTED, end("ok", task="b1", name="c2")), "unknown"),
        ((STARTED, end("ok", task="b")), "unknown"),
    ],
)
def test_what_is_told_of_others_changes_nothing(rows: tuple[Row, ...], outcome: str) -> None:
    for order in permutations((call("c1"), *rows)):
        assert after(order)[0] == outcome
    assert after((call("c1"), *rows), apart=False)[0] == outcome


@table(
    ("rows", "outcome"),
    [
        ((result("c1", "refused"), Interrupt("s1", "m1")), "interrupted"),
        ((result("c1", "refused"), Interrupt("s2", "m1")), "interrupted"),
        ((STARTED, end("ok", task="b1")), "ok"),
        ((STARTED, end("failed", task="b1", error="boom")), "failed"),
        ((STARTED, end("interrupted", task="b1")), "interrupted"),
        ((STARTED, end("ok", name="c1")), "ok"),
        ((STARTED, end("failed", task="b1", name="c1", error="boom")), "failed"),
        ((STARTED, end("failed", task="b1", name="c1", session="s2", error="boom")), "failed"),
        ((end("failed", name="c1", error="boom"),), "failed"),
        ((STARTED, end("interrupted", task="b1", ended="t1"), end("failed", task="b1", ended="t2")), "interrupted"),
        ((STARTED, end("failed", name="c1", ended="t1"), end("ok", task="b1", ended="t2")), "failed"),
        ((STARTED, end("failed", task="b1", name="c1"), result("c1", "ok", ended="9", uuid="later")), "ok"),
        ((end("failed", name="c1"), result("c1", "ok", ended="9", uuid="later")), "ok"),
    ],
)
def test_it_arrives_in_any_order(rows: tuple[Row, ...], outcome: str) -> None:
    for order in permutations((call("c1"), *rows)):
        assert after(order)[0] == outcome
    assert after((call("c1"), *rows), apart=False)[0] == outcome


def test_an_interruption_of_another_session_reaches_a_call_that_comes_later() -> None:
    with history() as made:
        made.write("/a", Interrupt("s1", "m1"))
        made.write("/b", call("c1", session="s2"), result("c1", "refused", session="s2"))
        assert told(made)[0] == "interrupted"


def test_a_task_that_was_told_in_a_copy_ends_there() -> None:
    with history() as made:
        made.write("/a", call("c1"), STARTED)
        made.write("/b", call("c1", session="s2", copied=True), result("c1", "unknown", task="b1", session="s2"))
        made.write("/b", end("failed", task="b1", session="s2", error="boom"))
        assert told(made) == ("failed", "boom")


def test_the_name_of_a_task_may_be_used_again() -> None:
    rows: list[Row] = [
        result("c1", "unknown", task="bash_1"),
        result("c2", "unknown", task="bash_1"),
        end("failed", task="bash_1", name="c2", error="boom"),
    ]
    for order in permutations([call("c1"), call("c2"), *rows]):
        with history() as made:
            for row in order:
                made.write("/a", row)
            assert (made.outcome("c1"), made.outcome("c2")) == ("unknown", "failed")


def test_the_error_of_a_task_is_found_once() -> None:
    with history() as made:
        made.write("/a", call("c1"), STARTED)
        made.write("/a", end("failed", task="b1", ended="t2", error="crash"))
        made.write("/a", end("failed", task="b1", ended="t2", error="crash"))
        assert made.found("crash") == ["c1"]
        made.write("/a", end("failed", task="b1", ended="t1", error="boom"))
        assert (made.found("crash"), made.found("boom")) == ([], ["c1"])


def test_calls_that_changed_are_met() -> None:
    with history() as made:
        first = made.write("/a", call("c1"), STARTED).calls
        assert made.write("/a", end("ok", task="b1")).calls == first
        assert made.write("/a", end("ok", task="b1")).calls == set()
