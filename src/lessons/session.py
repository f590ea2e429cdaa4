"""The nouns of continuity: typed records of the state files of a project and its sessions."""

from typing import Literal, NamedTuple

import msgspec

# Why a handoff was saved: before a compaction, after a turn, at session end, or because a person asked.
SavedBy = Literal["pre-compact", "stop", "session-end", "person"]


class SessionKey(NamedTuple):
    """A session, its project and the data home that stores its state."""

    home: str
    root: str
    id: str
    agent: str = "claude-code"


class _Document(msgspec.Struct, rename="camel", kw_only=True, omit_defaults=False):
    """Base of every file of the contract: camel-case names, all fields always present."""


class PreviousSession(_Document):
    """The session before this one in the same project."""

    session_id: str
    started_at: str
    session: int
    unclean_end: bool  # it started, its process is gone, and it never recorded its end


class SessionState(_Document):
    """`.session-state.json`: which session runs, and whether the previous one ended cleanly."""

    session_id: str
    started_at: str
    session: int  # counts the sessions of this project
    agent: str = "claude-code"
    process: int = 0  # process id of the client
    resumed_at: str | None = None  # when it was last resumed
    ended_at: str | None = None
    end_reason: str | None = None
    previous: PreviousSession | None = None


class ContextTracking(_Document):
    """`.context-tracking-state.json`: which files were read since the last reset."""

    files_read: list[str] = []  # relative to the project if inside it
    last_reset: int = 0  # milliseconds since 1970
    warning_shown: bool = False
    last_activity: int = 0  # time of the newest record that was read
    first_activity: int = 0  # time of the first record that was read


class AutoSave(_Document):
    """`.auto-save-state.json`: when a handoff was last saved, and how often."""

    last_save: int = 0  # milliseconds since 1970
    save_count: int = 0


class CommitTracker(_Document):
    """`.commit-tracker-state.json`: how far the commit log is complete."""

    last_head: str = ""
    updated_at: str = ""
    last_entry: str = ""  # of the reflog: its time and hash, so that amended commits are not read twice


class Commit(_Document):
    """A line of `commit-log.jsonl`."""

    timestamp: str
    hash: str
    short_hash: str
    message: str
    author: str
    author_date: str
    branch: str
    files_changed: int
    files_list: list[str]
    session: int | None = None
    session_id: str | None = None
    kind: str = "commit"  # commit, amend, rebase, merge, cherry-pick, revert
    replaces: str | None = None  # the commit that an amended or rebased one replaced


class AgentInvocation(_Document):
    """A line of `agent-invocations.jsonl`."""

    timestamp: str
    agent: str
    prompt: str  # the first 100 characters
    session: int | None = None
    session_id: str | None = None
    tool_use_id: str | None = None


class RanCommand(_Document):
    """A shell line as run, redacted, and how it ended."""

    command: str
    exit_code: int | None = None  # None: unknown, or the exit code of another part of the line
    error: str = ""  # the telling lines of a failed command
    time: str = ""


class GitState(_Document):
    """The state of the repository."""

    branch: str = ""
    head: str = ""
    uncommitted: list[str] = []  # lines of `git status --porcelain`, the first 50
    uncommitted_count: int = 0


class CommitShort(_Document):
    hash: str
    message: str


class Handoff(_Document):
    """`handoff.json`: what a session was doing; version 2 of the contract plus our additions."""

    version: int = 2
    timestamp: str = ""
    session: int = 0
    git: GitState = msgspec.field(default_factory=GitState)
    tasks: list[str] = []
    files_read: list[str] = []
    recent_commits: list[CommitShort] = []
    context: str = ""  # at most 2 KB: the text added to the context after a compaction
    session_id: str = ""
    agent: str = "claude-code"
    saved_by: SavedBy = "person"
    last_request: str = ""
    earlier_request: str = ""  # if the last one is short: the earlier one that says what is wanted
    files_edited: list[str] = []
    worked: list[RanCommand] = []
    failed: list[RanCommand] = []
    running: list[str] = []  # shell lines still running in the background
    questions: list[str] = []
    lessons: list[str] = []  # slugs of the lessons that fired
    partial: str = ""  # set if only a part of the transcript was read
    offer: str = ""  # one line for the next session in the same project
