"""What may happen in a session, as readers of transcripts report it, in no agent's own words."""

import msgspec

from lessons.agents.outcomes import Sureness, Verdict

# Of what a tool printed so many characters are reported: the first, and of longer texts the last ones too.
RESULT_ENDS = 4_096


class Prompted(msgspec.Struct, gc=False):
    """A text in the person's place, and how sure it is that a person typed it."""

    text: str
    sureness: Sureness


class Said(msgspec.Struct, gc=False):
    """What the agent wrote to the person; of a text without a tag the beginning, unless all texts are asked for."""

    message_id: str
    text: str


class Called(msgspec.Struct, gc=False):
    """The agent asked for a tool."""

    tool_use_id: str
    message_id: str
    model: str
    tool: str
    arguments: dict[object, object]
    source: msgspec.Raw | None = None  # the arguments as they stand in the transcript, where that is sound JSON
    task_id: str = ""  # set where the call asks after one that goes on in the background: its result is that one's


class Returned(msgspec.Struct, gc=False):
    """What came back from a tool; `text` is what it printed where it failed or may have, or always where that is
    asked for, cut to RESULT_ENDS. Words of the agent's own program, such as a rule about its tools, begin with
    FRAME_START (failure/clean.py): a lesson about them is for this agent alone."""

    tool_use_id: str
    verdict: Verdict
    text: str
    task_id: str = ""  # set where the call goes on in the background


class TaskEnded(msgspec.Struct, gc=False):
    """A call that went on in the background has ended."""

    task_id: str
    tool_use_id: str
    verdict: Verdict
    text: str


class Interrupted(msgspec.Struct, gc=False):
    """A person stopped the agent in the middle of this message."""

    message_id: str


class Compacted(msgspec.Struct, gc=False):
    """The context was replaced by a summary: a new segment begins here, unless it has begun at the line before."""

    is_summary: bool


class ContextShown(msgspec.Struct, gc=False):
    """Text that a hook put in front of the agent."""

    tool_use_id: str
    event: str
    name: str
    text: str


class Titled(msgspec.Struct, gc=False):
    """The session got a name."""

    title: str


class Setting(msgspec.Struct, gc=False):
    """What holds for all records after it that do not say it themselves; empty fields leave things as they are.

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
    """A person typed this while the agent worked; it may come again, as the prompt that the agent is given."""

    text: str


class QueueEmptied(msgspec.Struct, gc=False):
    """The person took back all that was queued."""


class Repeated(msgspec.Struct, gc=False):
    """A text in the person's place that counts as nobody's prompt; what was queued with the same words came of it."""

    text: str


class HooksRan(msgspec.Struct, gc=False):
    """A turn ended, and with it these hooks."""

    hooks: int
    errors: list[str]
    commands: list[str]
    prevented: bool  # one of them had the agent stop


class Answered(msgspec.Struct, gc=False):
    """What a message of the model has used so far; several records may belong to one message, the last one counts."""

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
    | Said
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
