"""The nouns of a transcript's reader, and what the modules of an agent provide (table.py says which it has).

| file | provides | typed by |
| --- | --- | --- |
| `wire.py` (hot) | `parse` a payload, `render` an Answer | `Wire` in hook_event.py |
| `transcript.py` | `READER`, and `FULL_READER` that reports every text | `Reader` in object_lines.py |
| | `STORE` and `FULL_STORE` (optional): sources other than files of lines | `Store` |
| `delivery.py` (hot) | whether the model got a hook's text | `Delivery` |
| `install.py` | `INSTALLER` and `CHECKS` (of `doctor`), where a row is not enough | `Installer`, trial.py |
| | with `has_server`: adds and removes the server of `install --warm` | `ServerSetup` |
| `FORMAT.md` | the format of its transcripts and payloads, with dated samples | |

A folder may have more files, which nothing outside imports. tests/agents/toy is the smallest complete agent.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

import msgspec

from lessons.agents.events import Answered, Event
from lessons.match.call import ToolCall
from lessons.store.history.rows import FileState


class Check(NamedTuple):
    """One finding of `lessons doctor`."""

    name: str
    ok: bool
    detail: str
    fix: str = ""


class Line(msgspec.Struct, gc=False):
    """Where and when an event happened; fields missing in the record are empty.

    A session or folder that is named holds for later records that name none. If calls may name another folder for
    themselves alone, the reader reports the folder of the session as a Setting.
    """

    position: int  # of the record's first byte in its file
    uuid: str = ""
    session_id: str = ""
    agent_id: str = ""
    sidechain: bool = False
    copied: bool = False  # the record itself says that it was copied from another session
    time: str = ""
    cwd: str = ""
    branch: str = ""
    version: str = ""


# The line of a record that says nothing: neither an event, nor where it stands.
NOWHERE = Line(0)


class Record(msgspec.Struct, gc=False):
    """One record of a transcript with all its events."""

    line: Line
    type: str
    known: bool  # whether the reader knows this type of record
    key: int  # equal for copies of the same record, 0 if the record has no id
    events: list[Event]
    is_conversation: bool = False  # a message of the user or the agent, not bookkeeping
    answer: Answered | None = None  # the token usage of the model's message in it


class Damaged(NamedTuple):
    """A stretch of a transcript that holds no record."""

    position: int
    length: int
    fault: str = ""  # of our own code, where that could not read it


class Held(NamedTuple):
    """A session in a store: its name among the sources, and a state that differs once it has changed.

    The number in the state is the session's own if a store has several; the time is in nanoseconds.
    """

    path: str
    state: FileState


class Piece(NamedTuple):
    """Some records of a session in order, and their approximate size in bytes."""

    records: Sequence[Record | Damaged]
    size: int


class Snapshot(NamedTuple):
    """A session at one point in time."""

    state: FileState
    pieces: Iterable[Piece]


class NotOurs(Exception):
    """The source is not this agent's."""


class Store(Protocol):
    """Sources that are not files of appended lines: databases, and documents that are rewritten as a whole.

    Such a source is read completely whenever it has changed. Every record has its own key, so that reading it again
    changes nothing. A call that has ended meanwhile is completed, and removed records stay in the history. Never
    writes, and the agent may write at any time; OSError says why something cannot be read.
    """

    def store_of(self, path: str) -> str | None:
        """Returns the store of a file, or of a session by its name; empty: a file of lines; None: not a transcript."""

    def state(self, store: str) -> FileState:
        """Returns the state of the store and everything beside it; if it is equal later, nothing has changed."""

    def sessions(self, store: str) -> Sequence[Held]:
        """Returns all sessions in it; one with the store's own name and state if it has only one."""

    def snapshot(self, path: str) -> AbstractContextManager[Snapshot]:
        """Opens one of the sessions; raises NotOurs if it is not one."""


class Delivery(Protocol):
    """What finds out whether the model got a hook's text, by a note of the call that got it.

    A module may also have `worked(noted)`: whether the noted call has ended well; and `recovered(noted, tool_use_id)`:
    whether a later one has.
    """

    def note(self, call: ToolCall, event: str, transcript: str) -> str:
        """Returns what the others need to find the text again; empty: it counts as delivered."""

    def arrived(self, noted: str) -> bool | None:
        """True: delivered. False: lost, so the lesson may come again. None: not known yet."""

    def is_answered(self, noted: str) -> bool | None:
        """Whether the model has continued after the result of that call; None: not known."""


class InstallReport(NamedTuple):
    """What was done to a file of an agent or, on a dry run, what would be done."""

    file: str
    changed: bool
    diff: str
    backup: str | None = None
    warnings: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()  # what the user has to do before the hook runs

    def document(self, dry_run: bool) -> dict[str, object]:
        """Includes the diff only on a dry run."""
        diff = self.diff if dry_run else None
        return {"file": self.file, "changed": self.changed, "backup": self.backup, "diff": diff}


class Installer(Protocol):
    """Refuses unexpected files with a LessonsError."""

    def install(self, settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
        """Adds our hook to the file; safe to run again."""

    def uninstall(self, settings_file: str, dry_run: bool = False) -> InstallReport:
        """Removes our hook from the file; leaves everything else unchanged."""

    def installed_commands(self, settings_file: str) -> dict[str, str]:
        """Returns the agent's event name -> our command for it; empty if there is no file."""


Warn = Callable[[list[str]], None]


class ServerSetup(Protocol):
    """What the module `install` of an agent with `has_server` has for our server, which answers faster."""

    def install_hook(
        self, settings: str, home: str, client_config: str | None, dry_run: bool, warm: bool, warn: Warn
    ) -> tuple[InstallReport, InstallReport | None]:
        """Installs the hook with the server (`warm`), or installs it without and removes the server."""

    def unregister(
        self, client_config: str | None, settings: str | None, dry_run: bool, warn: Warn
    ) -> InstallReport | None:
        """Removes the server, unless other settings still need it."""


class Trial(NamedTuple):
    """What `doctor` uses to run an installed hook."""

    word: str  # a call or error with it makes the trial lessons fire, and every answer contains it
    lay: Callable[[str], None]  # turns an empty folder into a data home with these lessons
    before_compaction: str  # the hook's text for the summariser
