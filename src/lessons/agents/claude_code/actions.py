"""The tools of Claude Code and what a call of each does."""

import re
from collections.abc import Callable

from lessons.agents.actions import (
    Action,
    AskPerson,
    ChangeTask,
    EditFile,
    ListTasks,
    MakeTask,
    ProposePlan,
    ReadFile,
    RunCommand,
    StartAgent,
    Task,
    text_at,
)
from lessons.match.tools import canonical_name

Arguments = dict[object, object]

_MADE = re.compile(r"Task #(\w{1,40}) created")
_MOST_LOOKED_AT = 200
_MOST_QUESTIONS = 10
_MOST_TASKS = 100


def action_of(tool: str, arguments: Arguments) -> Action | None:
    """Returns None for a tool whose calls are not followed."""
    make = _ACTIONS.get(canonical_name(tool))
    return make(arguments) if make else None


def made_task(printed: str) -> str:
    """Returns the identifier in the result of a call that created a task; empty if it names none."""
    found = _MADE.search(printed[:_MOST_LOOKED_AT])
    return found[1] if found else ""


def _path(arguments: Arguments) -> str:
    return text_at(arguments, "file_path", "notebook_path", "path")


def _edit(arguments: Arguments) -> Action:
    return EditFile(_path(arguments))


def _questions(arguments: Arguments) -> Action:
    given = arguments.get("questions")
    parts = given[:_MOST_QUESTIONS] if isinstance(given, list) else []
    asked = [text_at(each, "question") for each in parts if isinstance(each, dict)]
    return AskPerson([each for each in asked if each] or [text_at(arguments, "question")])


def _tasks(arguments: Arguments) -> Action:
    given = arguments.get("todos")
    entries = given[:_MOST_TASKS] if isinstance(given, list) else [given] if given else []
    return ListTasks([_task(each) if isinstance(each, dict) else Task("", "") for each in entries])


def _task(entry: Arguments) -> Task:
    return Task(text_at(entry, "content", "activeForm"), text_at(entry, "status"))


def _change(arguments: Arguments) -> Action:
    identifier = str(arguments.get("taskId", ""))
    return ChangeTask(identifier, text_at(arguments, "subject"), text_at(arguments, "status"))


_ACTIONS: dict[str, Callable[[Arguments], Action]] = {
    "Bash": lambda arguments: RunCommand(text_at(arguments, "command")),
    "Read": lambda arguments: ReadFile(_path(arguments)),
    "Edit": _edit,
    "Write": _edit,
    "NotebookEdit": _edit,
    "Agent": lambda arguments: StartAgent(
        text_at(arguments, "subagent_type"), text_at(arguments, "prompt", "description")
    ),
    "AskUserQuestion": _questions,
    "TodoWrite": _tasks,
    "TaskCreate": lambda arguments: MakeTask(text_at(arguments, "subject", "description")),
    "TaskUpdate": _change,
    "ExitPlanMode": lambda arguments: ProposePlan(text_at(arguments, "plan")),
}
