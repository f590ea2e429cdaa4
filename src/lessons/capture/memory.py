"""What the reader must remember of a transcript to continue from the last byte read."""

import msgspec

from lessons.agents.events import Setting
from lessons.store.history.progress import CAPTURE

# A new version of the stored data has every existing transcript read again.
VERSION = CAPTURE.version


class LastCall(msgspec.Struct, rename="camel"):
    """The state of a thread between two calls."""

    thread: int  # a digest of its session and subagent
    message_id: str  # of the message with the last call
    failed: list[str] = msgspec.field(default_factory=list)  # calls of that message that are known to have failed


class QueuedPrompt(msgspec.Struct, rename="camel"):
    """A queued prompt, and how to recognise it when it arrives; without its text."""

    key: int
    digest: str
    lines: int


class Memory(msgspec.Struct, rename="camel"):
    """Stored with the file's offset, as JSON."""

    version: int = VERSION
    first_cwd: str = ""
    here: str = ""  # the last folder that a line named, if the transcript has no setting
    session_id: str = ""
    time: str = ""  # of the last record that has one
    segment: int = 0
    compactions: list[str] = msgspec.field(default_factory=list)  # uuid of every boundary and summary
    at_boundary: bool = False  # no message since the last one
    refused: bool = False  # something in it was excluded from the history
    allowed: bool = False  # something in it was not excluded
    refused_calls: list[str] = msgspec.field(default_factory=list)  # digests; their results are excluded too
    unfinished_key: int = 0  # of an unfinished last line that was already read
    setting: Setting | None = None  # applies to records that do not say it themselves
    asked_after: dict[str, str] = msgspec.field(default_factory=dict)  # call -> task in the background
    last_calls: list[LastCall] = msgspec.field(default_factory=list)  # of the most recent threads
    queued: list[QueuedPrompt] = msgspec.field(default_factory=list)  # the last ones that may still arrive

    @property
    def folders(self) -> set[str]:
        """Returns every folder that it names."""
        return {self.first_cwd, self.here, self.setting.cwd if self.setting else ""} - {""}

    @property
    def sessions(self) -> set[str]:
        """Returns every session that it names."""
        return {self.session_id, self.setting.session_id if self.setting else ""} - {""}

    def text(self) -> str:
        return msgspec.json.encode(self).decode()


# In place of a memory that must not be stored: the file is read from its beginning when it grows.
WITHHELD = Memory(version=0, refused=True).text()


def memory_from(text: str) -> Memory | None:
    """Returns None if the text is not a memory of this version: such a file is read from its beginning."""
    try:
        memory = msgspec.json.decode(text, type=Memory)
    except msgspec.MsgspecError:
        return None
    return memory if memory.version == VERSION else None
