"""What the reader must remember of a transcript to continue from the last byte read."""

import msgspec

from lessons.agents.events import Setting
from lessons.store.history.progress import CAPTURE

# Another version of what is stored makes every transcript that is still there be read again.
VERSION = CAPTURE.version


class LastCall(msgspec.Struct, rename="camel"):
    """The state of a thread between two calls."""

    thread: int  # a digest of its session and subagent
    message_id: str  # of the message with the last call
    failed: list[str] = msgspec.field(default_factory=list)  # calls of that message that are known to have failed


class QueuedPrompt(msgspec.Struct, rename="camel"):
    """A prompt that was queued, and how to know it again when it arrives; not its words."""

    key: int
    digest: str
    lines: int


class Memory(msgspec.Struct, rename="camel"):
    """Kept with the file's offset, as JSON."""

    version: int = VERSION
    first_cwd: str = ""
    session_id: str = ""
    segment: int = 0
    compactions: list[str] = msgspec.field(default_factory=list)  # uuid of every boundary and summary
    at_boundary: bool = False  # nothing was said since the last one
    refused: bool = False  # something in it was kept out of the history
    allowed: bool = False  # something in it was not
    refused_calls: list[str] = msgspec.field(default_factory=list)  # digests; their results are kept out too
    unfinished_key: int = 0  # of a last line without end that was read already
    setting: Setting | None = None  # what holds for records that do not say it themselves
    asked_after: dict[str, str] = msgspec.field(default_factory=dict)  # call -> task in the background
    last_calls: list[LastCall] = msgspec.field(default_factory=list)  # of the threads that were last heard of
    queued: list[QueuedPrompt] = msgspec.field(default_factory=list)  # the last ones that may yet arrive

    def text(self) -> str:
        return msgspec.json.encode(self).decode()


def memory_from(text: str) -> Memory | None:
    """None if the text is not a memory of this version: such a file is read from its beginning."""
    try:
        memory = msgspec.json.decode(text, type=Memory)
    except msgspec.MsgspecError:
        return None
    return memory if memory.version == VERSION else None
