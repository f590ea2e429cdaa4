"""What a reader makes of a transcript: the events of a session, in the words of the product and of no agent."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from lessons.agents.outcomes import Sureness, Verdict

# Of what a tool printed so many characters are reported: the first, and of longer texts the last ones too.
RESULT_ENDS = 4_096


class Line(msgspec.Struct, gc=False):
    """Where and when an event happened; fields that the record does not tell are empty."""

    position: int  # of the record's first byte in its file
    uuid: str = ""
    session_id: str = ""
    agent_id: str = ""
    sidechain: bool = False
    copied: bool = False  # the record says itself that it was taken over from another session
    time: str = ""
    cwd: str = ""
    branch: str = ""
    version: str = ""


class Prompted(msgspec.Struct, gc=False):
    """A text in the person's place, and how sure it is that a person typed it."""

    text: str
    sureness: Sureness


class Said(msgspec.Struct, gc=False):
    """What the agent wrote to the person; only texts that may hold a tag are reported, unless all are asked for."""

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


class Returned(msgspec.Struct, gc=False):
    """What came back from a tool; `text` is what it printed where it failed or may have, or always where that is
    asked for, cut to RESULT_ENDS."""

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


Event = Prompted | Said | Called | Returned | TaskEnded | Interrupted | Compacted | ContextShown | Titled


class Record(msgspec.Struct, gc=False):
    """One record of a transcript with all that happened in it."""

    line: Line
    type: str
    known: bool  # whether the reader knows this type of record
    key: int  # the same for copies of the same record, 0 where the record has no name of its own
    events: list[Event]
    is_conversation: bool = False  # a message of the person or of the agent, not bookkeeping


class Reader(Protocol):
    """What the capture stage needs of an agent; it knows files and bytes, and nothing of what becomes of the events."""

    agent: str
    suffix: str  # of the names of its transcripts
    skipped_folders: frozenset[str]  # names of folders that hold something else

    def roots(self) -> list[str]:
        """The folders in which this agent leaves its transcripts, whether they exist or not."""

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        """Whether a file with these lines at its beginning is this agent's; None while that cannot be told.

        Every block holds whole lines, or one that has no end yet; no more are taken than it needs to tell.
        """

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        """The records of many whole lines, one each; None where a line needs to be looked at by itself."""

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        """The records of one line (nearly always one); None stands for a damaged one."""

    def stem(self, path: str) -> str:
        """The name of a transcript in the keys of its segments."""
