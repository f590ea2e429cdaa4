"""Tasks: rewritten lists, tasks with their own ids, approved plans."""

from lessons.agents.actions import ChangeTask, ListTasks, MakeTask, ProposePlan, Task
from lessons.continuity.derive.tasks import after_list, after_request, after_result, open_tasks, remembered
from tests.tables import table

ONE = {"1": "write the parser"}


def listed(*pairs: tuple[str, str]) -> list[Task]:
    return [Task(*pair) for pair in pairs]


@table(
    ("tasks", "expected"),
    [
        ([], []),
        (listed(("", ""), ("", "pending"), ("x", "")), []),
        (listed(("a", "completed")), []),
        (listed(("a", "pending"), ("b", "in_progress"), ("c", "completed")), ["b (in progress)", "a"]),
    ],
)
def test_a_list_takes_the_place_of_the_one_before(tasks: list[Task], expected: list[str]) -> None:
    before = after_list({}, listed(("old", "pending"), ("older", "pending")))
    assert open_tasks(after_list(before, tasks)) == expected


@table(
    ("states", "change", "expected"),
    [
        ({}, ChangeTask("", "", ""), {}),
        ({}, ChangeTask("9", "", "completed"), {}),
        ({}, ChangeTask("9", "", "pending"), {}),
        ({}, ChangeTask("9", "", ""), {}),
        (ONE, ChangeTask("", "", "in_progress"), ONE),
        (ONE, ChangeTask("1", "", "deleted"), {}),
        (ONE, ChangeTask("1", "", "completed"), {}),
        (ONE, ChangeTask("1", "", ""), ONE),
        (ONE, ChangeTask("1", "", "in_progress"), {"1": "write the parser (in progress)"}),
        ({"1": "a (in progress)"}, ChangeTask("1", "", "in_progress"), {"1": "a (in progress)"}),
        ({"1": "a (in progress)"}, ChangeTask("1", "", "pending"), {"1": "a"}),
        ({"1": "a (in progress)"}, ChangeTask("1", "b", ""), {"1": "b (in progress)"}),
        ({}, ChangeTask("9", "", "in_progress"), {"9": "Task #9 (in progress)"}),
        ({}, ChangeTask("9", "s", "in_progress"), {"9": "s (in progress)"}),
    ],
)
def test_a_task_changes_its_state(states: dict[str, str], change: ChangeTask, expected: dict[str, str]) -> None:
    assert after_result(states, *remembered(change)) == expected


@table(
    ("action", "made", "expected"),
    [
        (MakeTask("s"), "", ONE),
        (MakeTask(""), "2", ONE),
        (MakeTask("s"), "2", {**ONE, "2": "s"}),
        (ProposePlan(""), "", ONE),
        (ProposePlan("a plan"), "", {**ONE, "plan": "Approved plan: a plan"}),
        (ListTasks([]), "", ONE),
    ],
)
def test_the_result_tells_that_a_task_was_made(
    action: MakeTask | ProposePlan | ListTasks, made: str, expected: dict[str, str]
) -> None:
    assert after_result(ONE, *remembered(action), made) == expected


PLAN = {"plan": "Approved plan: p"}


@table(
    ("states", "done", "stays"),
    [
        ({**PLAN, "1": "a", "2": "b"}, "1", True),
        ({"1": "a", **PLAN, "2": "b"}, "1", True),
        ({"1": "a", **PLAN}, "9", True),
        ({**PLAN, "1": "a"}, "1", False),
        ({"1": "a", **PLAN, "2": "b"}, "2", False),
    ],
)
def test_a_plan_is_done_with_the_last_task_made_after_it(states: dict[str, str], done: str, stays: bool) -> None:
    change = remembered(ChangeTask(done, "", "completed"))
    assert ("plan" in after_result(states, *change)) is stays


@table(("tasks", "stays"), [([], True), (listed(("a", "pending")), True), (listed(("a", "completed")), False)])
def test_a_plan_is_done_with_the_list_made_after_it(tasks: list[Task], stays: bool) -> None:
    assert ("plan" in after_list(PLAN, tasks)) is stays


@table(
    ("text", "stays"),
    [("", True), ("go on", True), ("yes, 2", True), ("Now write the changelog entry instead.", False)],
)
def test_a_plan_is_forgotten_at_the_next_request(text: str, stays: bool) -> None:
    assert after_request({**ONE, **PLAN}, text) == ({**ONE, **PLAN} if stays else ONE)


def test_what_is_remembered_of_a_call() -> None:
    assert remembered(MakeTask(" one\nline ")) == ("TaskCreate", "one line")
    assert remembered(ProposePlan("\n\n## The title\n\nand more")) == ("ExitPlanMode", "The title")
    assert remembered(ListTasks([])) == ("", "")


def test_there_are_never_too_many() -> None:
    states: dict[str, str] = {}
    for number in range(500):
        states = after_result(states, *remembered(MakeTask(f"task {number}")), str(number))
    assert len(states) == 100
    assert len(open_tasks(states)) == 10
