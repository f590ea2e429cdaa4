"""What a call does, by the tool's name and its arguments, however malformed they are."""

import pytest

from lessons.agents.events import (
    Action,
    AskPerson,
    Called,
    ChangeTask,
    EditFile,
    ListTasks,
    MakeTask,
    ReadFile,
    RunCommand,
    StartAgent,
    Task,
    action_of,
    made_task,
)

TWO_QUESTIONS = [{"question": "Which?"}, {"question": "When?"}]


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("", {}, None),
        ("Grep", {"pattern": "x"}, None),
        ("mcp__a__Bash", {"command": "ls"}, None),
        ("Bash", {}, RunCommand("")),
        ("Bash", {"command": "ls"}, RunCommand("ls")),
        ("PowerShell", {"command": "ls"}, RunCommand("ls")),
        ("Read", {"file_path": 5}, ReadFile("")),
        ("Read", {"file_path": "/a"}, ReadFile("/a")),
        ("Edit", {"file_path": "/a"}, EditFile("/a")),
        ("MultiEdit", {"file_path": "/a"}, EditFile("/a")),
        ("Write", {"path": "/a"}, EditFile("/a")),
        ("NotebookEdit", {"notebook_path": "/n"}, EditFile("/n")),
        ("Task", {"subagent_type": "Explore", "prompt": "p"}, StartAgent("Explore", "p")),
        ("Agent", {"description": "d", "prompt": 7}, StartAgent("", "d")),
        ("AskUserQuestion", {}, AskPerson([""])),
        ("AskUserQuestion", {"questions": "x"}, AskPerson([""])),
        ("AskUserQuestion", {"questions": [1, {"header": "h"}]}, AskPerson([""])),
        ("AskUserQuestion", {"questions": TWO_QUESTIONS}, AskPerson(["Which?", "When?"])),
        ("AskUserQuestion", {"question": "Old form?"}, AskPerson(["Old form?"])),
        ("TodoWrite", {}, ListTasks([])),
        ("TodoWrite", {"todos": []}, ListTasks([])),
        ("TodoWrite", {"todos": "no list"}, ListTasks([])),
        ("TodoWrite", {"todos": [1, {"content": 5, "status": "pending"}]}, ListTasks([Task("", "pending")])),
        ("TodoWrite", {"todos": [{"content": "a", "status": "pending"}]}, ListTasks([Task("a", "pending")])),
        ("TodoWrite", {"todos": [{"activeForm": "b", "status": []}]}, ListTasks([Task("b", "")])),
        ("TaskCreate", {"subject": "s", "description": "d"}, MakeTask("s")),
        ("TaskUpdate", {"taskId": 9, "status": "in_progress", "subject": "s"}, ChangeTask("9", "s", "in_progress")),
        ("TaskUpdate", {"owner": "me"}, ChangeTask("", "", "")),
    ],
)
def test_what_a_call_does(tool: str, arguments: dict[object, object], expected: Action | None) -> None:
    assert action_of(Called("a", "", "", tool, arguments)) == expected


@pytest.mark.parametrize(
    ("printed", "expected"),
    [("", ""), ("Something else", ""), (f"{' ' * 200}Task #2 created", ""), ("Task #2 created successfully: s", "2")],
)
def test_the_result_names_the_task(printed: str, expected: str) -> None:
    assert made_task(printed) == expected
