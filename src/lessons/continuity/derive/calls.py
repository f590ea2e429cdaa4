"""What is stored of a call until its result arrives: a kind and a text, in one string."""

from typing import TypeVar

from lessons.agents.actions import Action, AskPerson, EditFile, ReadFile, RunCommand, StartAgent
from lessons.continuity.derive import commands, questions, tasks
from lessons.continuity.derive.files import path_of

_MOST_OPEN_CALLS = 100
_BACKGROUND = "background "
COMMITTING = ("commit", "agent")  # a subagent's commits are not in its session's transcript
LASTING = ("command", *COMMITTING)  # may continue in the background
_Value = TypeVar("_Value")


def remembered(action: Action | None, root: str) -> str:
    """Returns an empty string if the result does not matter."""
    match action:
        case RunCommand(line):
            kind = "commit" if commands.may_commit(line) else "command"
            return _joined(kind, commands.command_of(line))
        case ReadFile(path):
            return _joined("read", path_of(path, root))
        case EditFile(path):
            return _joined("edit", path_of(path, root))
        case StartAgent():
            return _joined("agent", "Agent")
        case AskPerson(asked):
            return _joined("question", questions.asked_by(asked))
        case None:
            return ""
    return _joined(*tasks.remembered(action))


def kind_and_text(value: str) -> tuple[str, str]:
    kind, _, text = value.partition(" ")
    return kind, text


def with_call(calls: dict[str, str], tool_use_id: str, value: str) -> dict[str, str]:
    """Drops the oldest if there are too many: they will not get a result any more."""
    return dict([*calls.items(), (tool_use_id, value)][-_MOST_OPEN_CALLS:]) if value else calls


def with_time(times: dict[str, float], tool_use_id: str, time: float) -> dict[str, float]:
    return dict([*times.items(), (tool_use_id, time)][-_MOST_OPEN_CALLS:])


def without(calls: dict[str, _Value], tool_use_id: str) -> dict[str, _Value]:
    return {name: value for name, value in calls.items() if name != tool_use_id}


def in_background(value: str, task_id: str) -> str:
    """Marks a command that continues in the background under its own task id."""
    return f"{_BACKGROUND}{task_id.replace(' ', '_')} {value}"


def of_task(calls: dict[str, str], task_id: str, tool_use_id: str) -> tuple[str, str]:
    """Returns the call that started a task and its text, by either of its ids; two empty strings if unknown."""
    beginning = f"{_BACKGROUND}{task_id.replace(' ', '_')} "
    for name, value in calls.items():
        if value.startswith(_BACKGROUND) and (name == tool_use_id or (task_id and value.startswith(beginning))):
            return name, value.split(" ", 2)[2]
    return "", ""


def running(calls: dict[str, str]) -> list[str]:
    """Returns the shell lines that still run in the background, latest last."""
    values = (value.split(" ", 3) for value in calls.values() if value.startswith(_BACKGROUND))
    return [parts[3] for parts in values if len(parts) == 4 and parts[2] in ("command", "commit")]


def waiting_questions(calls: dict[str, str]) -> list[str]:
    return [text for kind, text in map(kind_and_text, calls.values()) if kind == "question"]


def _joined(kind: str, text: str) -> str:
    return f"{kind} {text}" if text else ""
