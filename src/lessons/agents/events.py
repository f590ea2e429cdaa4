"""The events of a session, as readers of transcripts report them, independent of the agent."""

import msgspec

from lessons.agents.outcomes import Sureness, Verdict

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
    (failure/clean.py): a lesson about them is for this agent only.
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
    prevented: bool  # one of them made the agent stop


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
