"""What an agent's folder provides, and what its reader returns for a transcript (events.py lists the events).

An agent is one row of table.py and one folder with these files. Each is a module that is loaded on demand:

| file | provides | typed by |
| --- | --- | --- |
| `wire.py` (hot) | `EVENTS`, `HINTS_AT`, `parse` a payload, `render` an Answer | `Wire` in hook_event.py |
| `delivery.py` (hot) | `note` and `arrived`: whether the model got a hook's text; `is_answered`: whether it went on | |
| `transcript.py` | `READER`, and `FULL_READER` that reports every text | `Reader` |
| | `STORE` and `FULL_STORE` (optional): sources other than files of lines | `Store` in whole.py |
| `install.py` | `install` and `uninstall` the hook, `installed_commands` | `Installer` |
| `places.py` | `TITLE`, `settings_path`, `roots`, `conversations` | `Places` |
| `checks.py` | `checks` of an installation for `lessons doctor`; may have `LIMITS`, a text | `Checks` |
| `ask.py` (optional) | `ask` a question headless, for `lessons refine` | `Asker` |
| `FORMAT.md` | the format of its transcripts and payloads, with dated samples | |

A folder may have more files, which nothing outside imports. Claude Code, the agent of `lessons demo`, also provides
`replay.py`, and a folder `server` for `lessons install --warm`. tests/agents/toy is the smallest complete agent.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from lessons.agents.actions import Action
from lessons.agents.events import Answered, Called, Event
from lessons.check import Check


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


# Output of tools, beside transcripts: a file of lines in there is never a transcript.
RESULT_FOLDERS = frozenset({"tool-results"})


class Reader(Protocol):
    """What the capture stage needs of an agent; it handles files and bytes, not the use of the events."""

    agent: str
    skipped_folders: frozenset[str]  # names of folders with other content

    @property
    def suffix(self) -> str | tuple[str, ...]:
        """The suffix of its transcripts; .zst means compressed."""

    def roots(self) -> list[str]:
        """Returns the folders in which this agent stores its transcripts, existing or not."""

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        """Whether a file that starts with these lines is this agent's; None while unknown.

        Every block has whole lines, or one unfinished line; takes only as many as it needs.
        """

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        """Returns the records of many whole lines, one each; None if a line must be read separately."""

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        """Returns the records of one line (nearly always one); None replaces a damaged one."""

    def stem(self, path: str) -> str:
        """Returns the name of a transcript in the keys of its segments."""

    def action_of(self, called: Called) -> Action | None:
        """Returns what the call does, independent of the agent; None if it is not followed."""

    def made_task(self, printed: str) -> str:
        """Returns the identifier of a new task, from the result of a MakeTask; empty if unknown."""


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
    """The module `install` of an agent; refuses unexpected files with a LessonsError."""

    def install(self, settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
        """Adds our hook to the file; safe to run again."""

    def uninstall(self, settings_file: str, dry_run: bool = False) -> InstallReport:
        """Removes our hook from the file; leaves everything else unchanged."""

    def installed_commands(self, settings_file: str) -> dict[str, str]:
        """Returns the agent's event name -> our command for it; empty if there is no file."""


Warn = Callable[[list[str]], None]


class ServerSetup(Protocol):
    """The module `server.setup` of an agent that can keep our server running, which answers faster."""

    def refuse_unless_possible(self) -> None:
        """Raises Refused if the server does not work on this system."""

    def install_hook(
        self, settings: str, home: str, client_config: str | None, dry_run: bool, warm: bool, warn: Warn
    ) -> tuple[InstallReport, InstallReport | None]:
        """Installs the hook with the server (`warm`), or installs it without and removes the server."""

    def unregister(
        self, client_config: str | None, settings: str | None, dry_run: bool, warn: Warn
    ) -> InstallReport | None:
        """Removes the server, unless other settings still need it."""


class Places(Protocol):
    """The module `places` of an agent; creates nothing, and nothing need exist."""

    @property
    def TITLE(self) -> str:  # noqa: N802
        """The agent's display name."""

    def settings_path(self, scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
        """Returns the settings file of the scope `user` or `project`."""

    def roots(self) -> list[str]:
        """Returns the folders in which the agent stores its transcripts."""

    def conversations(self, project_root: str) -> Iterable[str]:
        """Yields transcripts that may be of this project, or all if none is named; without those of subagents."""


class Asker(Protocol):
    """The module `ask` of an agent that can answer one question without a terminal and without tools."""

    def ask(self, prompt: str, schema: dict[str, object], seconds: float) -> str:
        """Returns the answer as JSON text; raises Refused with a sentence if there is none. Our hooks do not fire
        meanwhile.
        """


class Trial(NamedTuple):
    """What `doctor` uses to run an installed hook."""

    word: str  # a call or error with it makes the trial lessons fire, and every answer contains it
    lay: Callable[[str], None]  # turns an empty folder into a data home with these lessons
    before_compaction: str  # the hook's text for the summariser


class Checks(Protocol):
    """The module `checks` of an agent."""

    def checks(self, home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
        """Checks whether the hook is installed and answers; in this settings file, or in all that the agent reads.

        Runs a command only if it is exactly what this version writes. `client_config` is the file with the agent's
        servers, if it is not the default one.
        """


class Heard(NamedTuple):
    """What the model receives from a hook's answer to a call."""

    denied: bool
    text: str


class Replay(Protocol):
    """The module `replay` of the agent that `lessons demo` shows."""

    def call_payload(self, command: str, name: str, cwd: str) -> dict[str, object]:
        """Returns what the agent sends before its shell runs a command; `name` is the id of session and call."""

    def heard(self, answer: str) -> Heard:
        """Returns what the agent understands from the hook's answer."""
