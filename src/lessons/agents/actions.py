"""What a tool call does, independent of the agent's tool names: for following the work of a session."""

from typing import NamedTuple


class RunCommand(NamedTuple):
    """Runs a shell line."""

    line: str


class ReadFile(NamedTuple):
    path: str


class EditFile(NamedTuple):
    """Changes or rewrites a file."""

    path: str


class StartAgent(NamedTuple):
    """Starts a subagent; the kind is empty if the call names none."""

    kind: str
    prompt: str


class AskPerson(NamedTuple):
    questions: list[str]


class Task(NamedTuple):
    """Open while its status is `pending` or `in_progress`; missing texts are empty."""

    text: str
    status: str


class ListTasks(NamedTuple):
    """Lists all tasks at once, replacing the earlier list."""

    tasks: list[Task]


class MakeTask(NamedTuple):
    """Creates a task; its identifier is in the result of the call."""

    text: str


class ChangeTask(NamedTuple):
    """Changes a task; unchanged fields are empty."""

    identifier: str
    text: str
    status: str


class ProposePlan(NamedTuple):
    """Proposes a plan; the user approves it if the call succeeds."""

    text: str


Action = RunCommand | ReadFile | EditFile | StartAgent | AskPerson | ListTasks | MakeTask | ChangeTask | ProposePlan


def text_at(arguments: dict[object, object], *names: str) -> str:
    """Returns the first of these arguments that is a text; empty if none is."""
    return next((value for name in names if isinstance(value := arguments.get(name), str) and value), "")
