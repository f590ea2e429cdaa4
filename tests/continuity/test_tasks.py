"""Tasks: rewritten lists, and tasks with their own ids."""

from datetime import UTC, datetime

from lessons.agents.base import Line, Record
from lessons.agents.events import Called, Returned, Verdict
from lessons.continuity.activity import Activity
from tests.tables import table


def shown(*calls: tuple[str, dict[object, object]]) -> list[str]:
    """The open tasks after these calls; tasks get ids from 1."""
    found = Activity("/shop", datetime(2026, 12, 1, tzinfo=UTC))
    number = 0
    for tool, arguments in calls:
        number += tool == "TaskCreate"
        returned = Returned("t", Verdict("ok", None), f"Task #{number} created")
        found.take(Record(Line(0), "", True, 0, [Called("t", "", "", tool, arguments), returned]))
    return found.tasks()


def todo(*pairs: tuple[str, str]) -> tuple[str, dict[object, object]]:
    return "TodoWrite", {"todos": [{"content": text, "status": status} for text, status in pairs]}


def make(text: str) -> tuple[str, dict[object, object]]:
    return "TaskCreate", {"subject": text, "description": "d"}


def change(identifier: str, status: str = "", text: str = "") -> tuple[str, dict[object, object]]:
    return "TaskUpdate", {"taskId": identifier, "status": status, "subject": text}


@table(
    ("calls", "expected"),
    [
        ([todo(("old", "pending")), todo()], []),
        ([todo(("", ""), ("", "pending"), ("x", ""))], []),
        ([todo(("old", "pending")), todo(("a", "completed"))], []),
        ([todo(("a", "pending"), ("b", "in_progress"), ("c", "completed"))], ["b (in progress)", "a"]),
        ([make("a"), todo(("b", "pending"))], ["a", "b"]),
        ([make(" one\nline ")], ["one line"]),
        ([make(f"task {number}") for number in range(50)], [f"task {number}" for number in range(10)]),
        ([change("9", "completed"), change("9", "pending"), change("9")], []),
        ([make("a"), change("", "in_progress")], ["a"]),
        ([make("a"), change("1", "deleted")], []),
        ([make("a"), change("1", "completed")], []),
        ([make("a"), change("1", "in_progress"), change("1", "pending")], ["a"]),
        ([make("a"), change("1", "in_progress"), change("1", text="b")], ["b (in progress)"]),
        ([change("9", "in_progress")], ["Task #9 (in progress)"]),
    ],
)
def test_open_tasks(calls: list[tuple[str, dict[object, object]]], expected: list[str]) -> None:
    assert shown(*calls) == expected
