"""Tasks: lists that are written anew, tasks with names of their own, plans that were agreed to."""

import pytest

from lessons.continuity.derive.tasks import after_list, after_request, after_result, open_tasks, subject_of

ONE = {"1": "write the parser"}


def todos(*pairs: tuple[str, str]) -> dict[object, object]:
    return {"todos": [{"content": content, "status": status, "activeForm": "x"} for content, status in pairs]}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, []),
        ({"todos": "no list"}, []),
        ({"todos": [1, None, {"status": "pending"}, {"content": "x"}, {"content": 5, "status": "pending"}]}, []),
        (todos(("a", "completed")), []),
        (todos(("a", "pending"), ("b", "in_progress"), ("c", "completed")), ["b (in progress)", "a"]),
    ],
)
def test_a_list_takes_the_place_of_the_one_before(arguments: dict[object, object], expected: list[str]) -> None:
    before = after_list({}, todos(("old", "pending"), ("older", "pending")))
    assert open_tasks(after_list(before, arguments)) == expected


@pytest.mark.parametrize(
    ("states", "arguments", "expected"),
    [
        ({}, {}, {}),
        ({}, {"taskId": "9", "status": "completed"}, {}),
        ({}, {"taskId": "9", "status": "pending"}, {}),
        ({}, {"taskId": "9", "owner": "me"}, {}),
        (ONE, {"status": "in_progress"}, ONE),
        (ONE, {"taskId": "1", "status": "deleted"}, {}),
        (ONE, {"taskId": "1", "status": "completed"}, {}),
        (ONE, {"taskId": "1", "owner": "me"}, ONE),
        (ONE, {"taskId": "1", "status": "in_progress"}, {"1": "write the parser (in progress)"}),
        ({"1": "a (in progress)"}, {"taskId": "1", "status": "in_progress"}, {"1": "a (in progress)"}),
        ({"1": "a (in progress)"}, {"taskId": "1", "status": "pending"}, {"1": "a"}),
        ({"1": "a (in progress)"}, {"taskId": "1", "subject": "b"}, {"1": "b (in progress)"}),
        ({}, {"taskId": "9", "status": "in_progress"}, {"9": "Task #9 (in progress)"}),
        ({}, {"taskId": 9, "status": "in_progress", "subject": "s"}, {"9": "s (in progress)"}),
    ],
)
def test_a_task_changes_its_state(
    states: dict[str, str], arguments: dict[object, object], expected: dict[str, str]
) -> None:
    assert after_result(states, "TaskUpdate", subject_of("TaskUpdate", arguments), "") == expected


@pytest.mark.parametrize(
    ("tool", "subject", "printed", "expected"),
    [
        ("TaskCreate", "s", "", ONE),
        ("TaskCreate", "s", "Something else", ONE),
        ("TaskCreate", "", "Task #2 created successfully: ", ONE),
        ("TaskCreate", "s", "Task #2 created successfully: s", {**ONE, "2": "s"}),
        ("ExitPlanMode", "", "User has approved your plan.", ONE),
        ("ExitPlanMode", "a plan", "User has approved your plan.", {**ONE, "plan": "Approved plan: a plan"}),
        ("TodoWrite", "", "Todos have been modified", ONE),
    ],
)
def test_the_result_tells_that_a_task_was_made(tool: str, subject: str, printed: str, expected: dict[str, str]) -> None:
    assert after_result(ONE, tool, subject, printed) == expected


PLAN = {"plan": "Approved plan: p"}


@pytest.mark.parametrize(
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
    change = subject_of("TaskUpdate", {"taskId": done, "status": "completed"})
    assert ("plan" in after_result(states, "TaskUpdate", change, "")) is stays


@pytest.mark.parametrize(
    ("arguments", "stays"),
    [({}, True), (todos(), True), (todos(("a", "pending")), True), (todos(("a", "completed")), False)],
)
def test_a_plan_is_done_with_the_list_made_after_it(arguments: dict[object, object], stays: bool) -> None:
    assert ("plan" in after_list(PLAN, arguments)) is stays


@pytest.mark.parametrize(
    ("text", "stays"),
    [("", True), ("go on", True), ("yes, 2", True), ("Now write the changelog entry instead.", False)],
)
def test_a_plan_is_forgotten_at_the_next_request(text: str, stays: bool) -> None:
    assert after_request({**ONE, **PLAN}, text) == ({**ONE, **PLAN} if stays else ONE)


def test_what_is_remembered_of_a_call() -> None:
    assert subject_of("TaskCreate", {"subject": " one\nline ", "description": "long"}) == "one line"
    assert subject_of("ExitPlanMode", {"plan": "\n\n## The title\n\nand more"}) == "The title"
    assert subject_of("TodoWrite", {"todos": []}) == ""


def test_there_are_never_too_many() -> None:
    states: dict[str, str] = {}
    for number in range(500):
        states = after_result(states, "TaskCreate", f"task {number}", f"Task #{number} created")
    assert len(states) == 100
    assert len(open_tasks(states)) == 10
