"""What a call of a tool of Codex does."""

from lessons.agents.actions import Action, AskPerson, EditFile, ListTasks, RunCommand, StartAgent, Task, text_at
from lessons.match.tools import canonical_name

Arguments = dict[object, object]
_MOST_TASKS = 100


def action_of(tool: str, arguments: Arguments) -> Action | None:
    """Returns None for a tool whose calls are not followed."""
    match canonical_name(tool):
        case "Bash":
            return RunCommand(text_at(arguments, "command"))
        case "Edit" | "Write":
            return EditFile(text_at(arguments, "file_path"))
        case "Agent":
            return StartAgent(text_at(arguments, "agent_type"), text_at(arguments, "message", "task_name"))
        case "update_plan":
            return _tasks(arguments)
        case "request_user_input":
            return _questions(arguments)
    return None


def _tasks(arguments: Arguments) -> Action:
    given = arguments.get("plan")
    steps = given[:_MOST_TASKS] if isinstance(given, list) else []
    return ListTasks([Task(text_at(each, "step"), text_at(each, "status")) for each in steps if isinstance(each, dict)])


def _questions(arguments: Arguments) -> Action:
    given = arguments.get("questions")
    asked = [text_at(each, "question") for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    return AskPerson([each for each in asked if each])
