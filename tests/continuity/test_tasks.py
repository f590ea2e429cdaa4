"""Tasks: rewritten lists, tasks with their own ids, approved plans."""

from collections.abc import Iterable

from lessons.agents.events import ChangeTask, Task
from lessons.continuity.activity import Tasks
from tests.tables import table


def tasks(*made: str) -> Tasks:
    """Tasks by their texts, with ids from 1; `plan` stands for an approved plan."""
    found = Tasks()
    for number, text in enumerate(made, 1):
        found.approve("# p") if text == "plan" else found.make(f"{number}", text)
    return found


def listed(*pairs: tuple[str, str]) -> list[Task]:
    return [Task(*pair) for pair in pairs]


def has_plan(found: Tasks) -> bool:
    return "Approved plan: p" in found.shown()


@table(
    ("texts", "expected"),
    [
        ([], []),
        (listed(("", ""), ("", "pending"), ("x", "")), []),
        (listed(("a", "completed")), []),
        (listed(("a", "pending"), ("b", "in_progress"), ("c", "completed")), ["b (in progress)", "a"]),
    ],
)
def test_a_list_replaces_the_one_before(texts: list[Task], expected: list[str]) -> None:
    found = Tasks()
    found.list_all(listed(("old", "pending"), ("older", "pending")))
    found.list_all(texts)
    assert found.shown() == expected


@table(
    ("made", "changes", "expected"),
    [
        ([], [ChangeTask("", "", "")], []),
        ([], [ChangeTask("9", "", "completed")], []),
        ([], [ChangeTask("9", "", "pending")], []),
        ([], [ChangeTask("9", "", "")], []),
        (["a"], [ChangeTask("", "", "in_progress")], ["a"]),
        (["a"], [ChangeTask("1", "", "deleted")], []),
        (["a"], [ChangeTask("1", "", "completed")], []),
        (["a"], [ChangeTask("1", "", "")], ["a"]),
        (["a"], [ChangeTask("1", "", "in_progress")] * 2, ["a (in progress)"]),
        (["a"], [ChangeTask("1", "", "in_progress"), ChangeTask("1", "", "pending")], ["a"]),
        (["a"], [ChangeTask("1", "", "in_progress"), ChangeTask("1", "b", "")], ["b (in progress)"]),
        ([], [ChangeTask("9", "", "in_progress")], ["Task #9 (in progress)"]),
        ([], [ChangeTask("9", "s", "in_progress")], ["s (in progress)"]),
    ],
)
def test_a_task_changes_its_state(made: list[str], changes: Iterable[ChangeTask], expected: list[str]) -> None:
    found = tasks(*made)
    for change in changes:
        found.change(change)
    assert found.shown() == expected


def test_without_an_id_or_a_text_nothing_is_made() -> None:
    found = tasks("a")
    found.make("", "b")
    found.make("2", "")
    found.approve("\n# \n")
    assert found.shown() == ["a"]


@table(
    ("made", "done", "stays"),
    [
        (["plan", "a", "b"], "2", True),
        (["a", "plan", "b"], "1", True),
        (["a", "plan"], "9", True),
        (["plan", "a"], "2", False),
        (["a", "plan", "b"], "3", False),
    ],
)
def test_a_plan_is_done_with_the_last_task_made_after_it(made: list[str], done: str, stays: bool) -> None:
    found = tasks(*made)
    found.change(ChangeTask(done, "", "completed"))
    assert has_plan(found) is stays


@table(("texts", "stays"), [([], True), (listed(("a", "pending")), True), (listed(("a", "completed")), False)])
def test_a_plan_is_done_with_the_list_made_after_it(texts: list[Task], stays: bool) -> None:
    found = tasks("plan")
    found.list_all(texts)
    assert has_plan(found) is stays


def test_what_is_shown_is_one_line_each_and_not_too_many() -> None:
    found = tasks(" one\nline ")
    found.approve("\n\n## The title\n\nand more")
    assert found.shown() == ["one line", "Approved plan: The title"]
    assert len(tasks(*(f"task {number}" for number in range(500))).shown()) == 10
