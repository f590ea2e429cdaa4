"""The events of a session, as readers of transcripts report them, and what a tool call does: for every agent alike."""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from lessons.match.call import ToolCall, canonical_name

Outcome = Literal["ok", "failed", "refused", "cancelled", "interrupted", "unknown"]
"""Refused: by a person, a rule or a lesson. Cancelled: never ran for another reason. Unknown: no result (yet)."""


class Verdict(NamedTuple):
    """How a call ended, and the exit code if the transcript has it.

    A call that a hook denied has failed, with the hook's reason as its text; whether the hook was ours, its log tells.
    """

    outcome: Outcome
    exit_code: int | None
    by_hook: bool = False


DENIED_BY_HOOK = Verdict("failed", None, by_hook=True)


Sureness = Literal["sure", "likely", "no"]
"""Sure: the client marks it as typed by a person. Likely: nothing contradicts that. No: a program wrote it."""

# Characters reported of a tool's output: the first ones, and for longer texts the last ones too.
RESULT_ENDS = 4_096


class Prompted(msgspec.Struct, gc=False):
    """A user message, and how certain it is that a person typed it."""

    text: str
    sureness: Sureness


class Wrote(msgspec.Struct, gc=False):
    """What the agent wrote to the user; only the start of a text without a tag, unless all texts are requested."""

    message_id: str
    text: str


class Called(msgspec.Struct, gc=False):
    """The agent called a tool."""

    tool_use_id: str
    message_id: str
    model: str
    tool: str
    arguments: dict[object, object]
    source: msgspec.Raw | None = None  # the arguments as in the transcript, if that is valid JSON
    task_id: str = ""  # set if the call polls a background task: its result is the task's


class Returned(msgspec.Struct, gc=False):
    """The result of a tool. `text` is its output if it failed or may have failed, or always if requested, cut to
    RESULT_ENDS. Messages of the agent's own client, such as a rule about its tools, start with FRAME_START
    (failure/error_text.py): a lesson about them is for this agent only.
    """

    tool_use_id: str
    verdict: Verdict
    text: str
    task_id: str = ""  # set if the call continues in the background


class TaskEnded(msgspec.Struct, gc=False):
    """A call that continued in the background has ended."""

    task_id: str
    tool_use_id: str
    verdict: Verdict
    text: str


class Interrupted(msgspec.Struct, gc=False):
    """The user stopped the agent in the middle of this message."""

    message_id: str


class Compacted(msgspec.Struct, gc=False):
    """The context was replaced by a summary: a new segment starts here, unless it started at the line before."""

    is_summary: bool


class ContextShown(msgspec.Struct, gc=False):
    """Text that a hook added to the agent's context."""

    tool_use_id: str
    event: str
    name: str
    text: str


class Titled(msgspec.Struct, gc=False):
    """The session got a title."""

    title: str


class Setting(msgspec.Struct, gc=False):
    """Applies to all later records that do not say it themselves; empty fields change nothing.

    The first one that names a session decides whose file it is.
    """

    session_id: str = ""
    agent_id: str = ""
    sidechain: bool = False
    typed: bool = True  # whether a person may have typed the prompts
    cwd: str = ""
    branch: str = ""
    version: str = ""
    model: str = ""


class Queued(msgspec.Struct, gc=False):
    """A person typed this while the agent worked; it may occur again, as the prompt that the agent gets."""

    text: str


class QueueEmptied(msgspec.Struct, gc=False):
    """The user withdrew everything that was queued."""


class Repeated(msgspec.Struct, gc=False):
    """A user message that does not count as a prompt; a queued prompt with the same text led to it."""

    text: str


class HooksRan(msgspec.Struct, gc=False):
    """A turn ended, and these hooks ran."""

    hooks: int
    errors: list[str]
    commands: list[str]
    milliseconds: list[int | None]  # how long each of the commands took
    prevented: bool  # one of them made the agent stop
    stop_reason: str  # that it gave


class Answered(msgspec.Struct, gc=False):
    """The tokens used so far by a message of the model; of several records for one message the last counts."""

    message_id: str
    request_id: str
    model: str
    stop_reason: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int


Event = (
    Prompted
    | Wrote
    | Called
    | Returned
    | TaskEnded
    | Interrupted
    | Compacted
    | ContextShown
    | Titled
    | Queued
    | QueueEmptied
    | Repeated
    | HooksRan
    | Setting
)


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


Action = RunCommand | ReadFile | EditFile | StartAgent | AskPerson | ListTasks | MakeTask | ChangeTask

_Arguments = dict[object, object]
_MOST_LISTED = 100
_MADE_TASK = re.compile(r"Task #(\w{1,40}) created")
_MOST_LOOKED_AT = 200


def action_of(called: Called) -> Action | None:
    """Returns what the call does; None if it is not followed."""
    make = _ACTIONS.get("apply_patch" if called.tool == "apply_patch" else canonical_name(called.tool))
    return make(called.arguments) if make else None


def made_task(printed: str) -> str:
    """Returns the identifier of a new task, from the result of a MakeTask; empty if it names none."""
    found = _MADE_TASK.search(printed[:_MOST_LOOKED_AT])
    return found[1] if found else ""


def _text(arguments: _Arguments, *names: str) -> str:
    """Returns the first of these arguments that is a text; empty if none is."""
    return next((value for name in names if isinstance(value := arguments.get(name), str) and value), "")


def _objects(arguments: _Arguments, name: str) -> list[_Arguments]:
    given = arguments.get(name)
    return [each for each in given[:_MOST_LISTED] if isinstance(each, dict)] if isinstance(given, list) else []


def _path(arguments: _Arguments) -> str:
    return _text(arguments, "file_path", "filePath", "absolute_path", "notebook_path", "path")


def _patch(arguments: _Arguments) -> Action:
    paths = ToolCall("apply_patch", arguments).paths
    return EditFile(paths[0] if paths else _path(arguments))


def _start_agent(arguments: _Arguments) -> Action:
    kind = _text(arguments, "subagent_type", "agent_name", "agent_type")
    return StartAgent(kind, _text(arguments, "prompt", "objective", "task", "message", "description", "task_name"))


def _ask(arguments: _Arguments) -> Action:
    asked = [question for each in _objects(arguments, "questions") if (question := _text(each, "question"))]
    return AskPerson(asked or [_text(arguments, "question")])


def _list_tasks(arguments: _Arguments) -> Action:
    listed = [*_objects(arguments, "todos"), *_objects(arguments, "plan")]
    names = ("content", "description", "activeForm", "step")
    return ListTasks([Task(_text(each, *names), _text(each, "status")) for each in listed])


def _change_task(arguments: _Arguments) -> Action:
    return ChangeTask(str(arguments.get("taskId", "")), _text(arguments, "subject"), _text(arguments, "status"))


# By the canonical name of the tool; tools of one agent alone by their own.
_ACTIONS: dict[str, Callable[[_Arguments], Action]] = {
    "Bash": lambda arguments: RunCommand(_text(arguments, "command")),
    "Read": lambda arguments: ReadFile(_path(arguments)),
    **dict.fromkeys(("Edit", "Write", "NotebookEdit"), lambda arguments: EditFile(_path(arguments))),
    "apply_patch": _patch,
    "Agent": _start_agent,
    **dict.fromkeys(("AskUserQuestion", "ask_user", "ask_user_question", "request_user_input"), _ask),
    **dict.fromkeys(("TodoWrite", "todowrite", "todo_write", "write_todos", "update_plan"), _list_tasks),
    "TaskCreate": lambda arguments: MakeTask(_text(arguments, "subject", "description")),
    "TaskUpdate": _change_task,
}
