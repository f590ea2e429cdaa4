"""What a call of a tool does that several agents have, by its canonical name and usual argument names."""

from lessons.agents.actions import (
    Action,
    AskPerson,
    EditFile,
    ListTasks,
    ProposePlan,
    ReadFile,
    RunCommand,
    StartAgent,
    Task,
    text_at,
)
from lessons.match.call import ToolCall
from lessons.match.tools import canonical_name

_MOST_TASKS = 100
_LISTS_OF_TASKS = ("TodoWrite", "todowrite", "todo_write", "write_todos")


def action_of(tool: str, arguments: dict[object, object]) -> Action | None:
    """Returns None for a tool whose calls are not followed."""
    if tool == "apply_patch":
        paths = ToolCall(tool, arguments).paths
        return EditFile(paths[0] if paths else _path(arguments))
    match canonical_name(tool):
        case "Bash":
            return RunCommand(text_at(arguments, "command"))
        case "Read":
            return ReadFile(_path(arguments))
        case "Write" | "Edit" | "NotebookEdit":
            return EditFile(_path(arguments))
        case "Agent":
            kind = text_at(arguments, "subagent_type", "agent_name", "agent_type")
            return StartAgent(kind, text_at(arguments, "prompt", "objective", "task", "description"))
        case name if name in _LISTS_OF_TASKS:
            return ListTasks(_tasks(arguments.get("todos")))
        case "ask_user" | "ask_user_question":
            return AskPerson([text_at(arguments, "question")])
        case "exit_plan_mode":
            return ProposePlan(text_at(arguments, "plan"))
    return None


def _path(arguments: dict[object, object]) -> str:
    return text_at(arguments, "file_path", "filePath", "absolute_path", "notebook_path", "path")


def _tasks(given: object) -> list[Task]:
    some = given[:_MOST_TASKS] if isinstance(given, list) else []
    return [
        Task(text_at(each, "content", "description"), text_at(each, "status"))
        for each in some
        if isinstance(each, dict)
    ]
