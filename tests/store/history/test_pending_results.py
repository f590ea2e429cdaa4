"""What other records tell about a call reaches it, whether the call came first or they did."""

from itertools import permutations

from lessons.store.history.rows import Interrupt
from tests.store.history.history import History, Row, call, end, history, result
from tests.tables import table


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
