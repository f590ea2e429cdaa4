"""What a tool call does, whatever the agent calls the tool: for those who follow the work of a session."""

from typing import NamedTuple


class RunCommand(NamedTuple):
    """A shell line."""

    line: str


class ReadFile(NamedTuple):
    path: str


class EditFile(NamedTuple):
    """Changes or rewrites a file."""

    path: str


class StartAgent(NamedTuple):
    """A subagent; its kind is empty if the call names none."""

    kind: str
    prompt: str


class AskPerson(NamedTuple):
    questions: list[str]


class Task(NamedTuple):
    """Open while its status is `pending` or `in_progress`; texts that the call does not have are empty."""

    text: str
    status: str


class ListTasks(NamedTuple):
    """All tasks at once, in place of those listed before."""

    tasks: list[Task]


class MakeTask(NamedTuple):
    """A new task; its identifier is in the result of the call."""

    text: str


class ChangeTask(NamedTuple):
    """What stays as it is, is empty."""

    identifier: str
    text: str
    status: str


class ProposePlan(NamedTuple):
    """A person agrees to it where the call ends well."""

    text: str


Action = RunCommand | ReadFile | EditFile | StartAgent | AskPerson | ListTasks | MakeTask | ChangeTask | ProposePlan


def text_at(arguments: dict[object, object], *names: str) -> str:
    """The first of these arguments that is a text; empty if none is."""
    return next((value for name in names if isinstance(value := arguments.get(name), str) and value), "")
