"""What an agent's folder offers, and what its reader makes of a transcript (events.py has what may happen in one).

An agent is one row of table.py and one folder with these files. Each is a module that is loaded when it is asked for:

| file | offers | typed by |
| --- | --- | --- |
| `wire.py` (hot) | `EVENTS`, `HINTS_AT`, `parse` a payload, `render` an Answer | `Wire` in hook_event.py |
| `delivery.py` (hot) | `note` and `arrived`: whether the model got a hook's words | |
| `transcript.py` | `READER`, and `FULL_READER` that reports every text | `Reader` |
| | `STORE` and `FULL_STORE` (optional): sources that are no files of lines | `Store` in whole.py |
| `install.py` | `install` and `uninstall` the hook, `installed_commands` | `Installer` |
| `places.py` | `TITLE`, `settings_path`, `roots`, `conversations` | `Places` |
| `checks.py` | `checks` of an installation for `lessons doctor`; may have `LIMITS`, a text | `Checks` |
| `ask.py` (optional) | `ask` a question headless, for `lessons refine` | `Asker` |
| `FORMAT.md` | what its transcripts and payloads look like, with dated samples | |

A folder may hold more, which nothing outside of it imports. Claude Code, the agent of `lessons demo`, also offers
`replay.py`, and a folder `server` for `lessons install --warm`. tests/agents/toy is the smallest complete agent.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from lessons.agents.actions import Action
from lessons.agents.events import Answered, Called, Event
from lessons.check import Check


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


class Record(msgspec.Struct, gc=False):
    """One record of a transcript with all that happened in it."""

    line: Line
    type: str
    known: bool  # whether the reader knows this type of record
    key: int  # the same for copies of the same record, 0 where the record has no name of its own
    events: list[Event]
    is_conversation: bool = False  # a message of the person or of the agent, not bookkeeping
    answer: Answered | None = None  # what the message of the model in it has used


# What tools printed, beside transcripts: a file of lines in there is none, whoever looks.
RESULT_FOLDERS = frozenset({"tool-results"})


class Reader(Protocol):
    """What the capture stage needs of an agent; it knows files and bytes, and nothing of what becomes of the events."""

    agent: str
    skipped_folders: frozenset[str]  # names of folders that hold something else

    @property
    def suffix(self) -> str | tuple[str, ...]:
        """Of the names of its transcripts; one that ends in .zst is compressed."""

    def roots(self) -> list[str]:
        """The folders in which this agent leaves its transcripts, whether they exist or not."""

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        """Whether a file with these lines at its beginning is this agent's; None while that is unknown.

        Every block holds whole lines, or one that has no end yet; no more are taken than it needs to tell.
        """

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        """The records of many whole lines, one each; None if a line needs to be looked at by itself."""

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        """The records of one line (nearly always one); None stands for a damaged one."""

    def stem(self, path: str) -> str:
        """The name of a transcript in the keys of its segments."""

    def action_of(self, called: Called) -> Action | None:
        """What the call does, in the words of no agent; None if that is nothing one would follow."""

    def made_task(self, printed: str) -> str:
        """The identifier that a task got, from the result of a MakeTask; empty if unknown."""


class InstallReport(NamedTuple):
    """What was done to a file of an agent, or, on a dry run, what would be."""

    file: str
    changed: bool
    diff: str
    backup: str | None = None
    warnings: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()  # what the person has to do before the hook runs

    def document(self, dry_run: bool) -> dict[str, object]:
        """The diff is told only where nothing was changed."""
        diff = self.diff if dry_run else None
        return {"file": self.file, "changed": self.changed, "backup": self.backup, "diff": diff}


class Installer(Protocol):
    """The module `install` of an agent; files that are not as expected are refused with a LessonsError."""

    def install(self, settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
        """Puts our hook into the file; a second time it changes nothing."""

    def uninstall(self, settings_file: str, dry_run: bool = False) -> InstallReport:
        """Takes our hook out of the file; what is not ours stays as it is."""

    def installed_commands(self, settings_file: str) -> dict[str, str]:
        """The agent's name of an event -> our command for it; none where there is no file."""


Warn = Callable[[list[str]], None]


class ServerSetup(Protocol):
    """The module `server.setup` of an agent that can keep a server of ours running, which answers sooner."""

    def refuse_unless_possible(self) -> None:
        """Raises Refused if the server does not work on this system."""

    def install_hook(
        self, settings: str, home: str, client_config: str | None, dry_run: bool, warm: bool, warn: Warn
    ) -> tuple[InstallReport, InstallReport | None]:
        """Installs the hook together with the server (`warm`), or without it and takes the server out."""

    def unregister(
        self, client_config: str | None, settings: str | None, dry_run: bool, warn: Warn
    ) -> InstallReport | None:
        """Takes the server out, unless settings other than these still need it."""


class Places(Protocol):
    """The module `places` of an agent; nothing is created, and nothing need exist."""

    @property
    def TITLE(self) -> str:  # noqa: N802
        """The agent's name for a person."""

    def settings_path(self, scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
        """The settings file of the scope `user` or `project`."""

    def roots(self) -> list[str]:
        """The folders in which the agent leaves its transcripts."""

    def conversations(self, project_root: str) -> Iterable[str]:
        """The transcripts that may be of this project, or all where none is named; not those of subagents."""


class Asker(Protocol):
    """The module `ask` of an agent that can answer one question without a terminal and without tools."""

    def ask(self, prompt: str, schema: dict[str, object], seconds: float) -> str:
        """The answer as JSON text; Refused with a sentence if there is none. No hook of ours fires meanwhile."""


class Trial(NamedTuple):
    """What `doctor` brings to try an installed hook for real."""

    word: str  # a call and an error with it make the lessons of the trial fire, and every answer holds it
    lay: Callable[[str], None]  # makes an empty folder a data home with these lessons
    before_compaction: str  # what the hook says to whoever summarises


class Checks(Protocol):
    """The module `checks` of an agent."""

    def checks(self, home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
        """Whether the hook is installed and answers; of this settings file, or else of all that the agent reads.

        A command is run only if it is exactly what this version writes. `client_config` is the file in which the agent
        keeps its servers, if it is not the usual one.
        """


class Heard(NamedTuple):
    """What the model hears of a hook's answer to a call."""

    denied: bool
    text: str


class Replay(Protocol):
    """The module `replay` of the agent that `lessons demo` shows."""

    def call_payload(self, command: str, name: str, cwd: str) -> dict[str, object]:
        """What the agent sends before its shell runs a command; `name` is that of the session and of the call."""

    def heard(self, answer: str) -> Heard:
        """What it makes of the hook's answer."""
