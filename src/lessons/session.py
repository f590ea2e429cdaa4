"""The nouns of continuity: typed records of the state files of a project and of its sessions."""

from typing import Literal

import msgspec

# Why a handoff was saved: before a compaction, after a turn, at the end of a session, or because a person asked.
SavedBy = Literal["pre-compact", "stop", "session-end", "person"]


class _Document(msgspec.Struct, rename="camel", kw_only=True, omit_defaults=False):
    """Every file of the contract: names in camel case, all fields always there."""


class PreviousSession(_Document):
    """The session before this one in the same project."""

    session_id: str
    started_at: str
    session: int
    unclean_end: bool  # it began and never said that it ended, and its process is gone


class SessionState(_Document):
    """`.session-state.json`: which session runs, and whether the one before it ended as it should."""

    session_id: str
    started_at: str
    session: int  # counts the sessions of this project
    agent: str = "claude-code"
    process: int = 0  # of the client
    resumed_at: str | None = None  # when it last began again
    ended_at: str | None = None
    end_reason: str | None = None
    previous: PreviousSession | None = None


class ContextTracking(_Document):
    """`.context-tracking-state.json`: which files were read since the last reset."""

    files_read: list[str] = []  # relative to the project where they are in it
    last_reset: int = 0  # milliseconds since 1970
    warning_shown: bool = False
    last_activity: int = 0  # of the newest record that was looked at


class AutoSave(_Document):
    """`.auto-save-state.json`: when a handoff was last saved, and how often."""

    last_save: int = 0  # milliseconds since 1970
    save_count: int = 0


class CommitTracker(_Document):
    """`.commit-tracker-state.json`: up to where the commits are in the log."""

    last_head: str = ""
    updated_at: str = ""
    last_entry: str = ""  # of the reflog: its time and hash, so that amended commits are not met twice


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
    replaces: str | None = None  # the commit whose place an amended or rebased one took


class AgentInvocation(_Document):
    """A line of `agent-invocations.jsonl`."""

    timestamp: str
    agent: str
    prompt: str  # the first 100 characters
    session: int | None = None
    session_id: str | None = None
    tool_use_id: str | None = None


class RanCommand(_Document):
    """A shell line as it was run, redacted, and how it ended."""

    command: str
    exit_code: int | None = None  # None: not told, or that of another part of the line
    error: str = ""  # of a failed one the telling lines
    time: str = ""


class GitState(_Document):
    """Where the repository stood."""

    branch: str = ""
    head: str = ""
    uncommitted: list[str] = []  # lines of `git status --porcelain`, the first 50
    uncommitted_count: int = 0


class CommitShort(_Document):
    hash: str
    message: str


class Work(_Document):
    """What a session did so far, as its transcript tells; grows with each look from `offset` on."""

    offset: int = 0  # up to here the transcript has been read
    skipped: int = 0  # bytes before the first look that were never read
    file: str = ""  # the transcript
    file_id: str = ""  # device and inode, and the first bytes' digest: another file begins from nothing
    last_request: str = ""
    earlier_request: str = ""  # where the last one is short: the one before it that says what is wanted
    tasks: list[str] = []  # open ones, in their order
    task_states: dict[str, str] = {}  # of tasks with names of their own: identifier -> text; done ones are gone
    files_edited: list[str] = []  # the latest last
    worked: list[RanCommand] = []
    failed: list[RanCommand] = []
    questions: list[str] = []  # asked by the agent and not answered yet
    commit_calls: dict[str, float] = {}  # tool use id -> since when a call runs that may commit, until it has ended
    commit_windows: list[tuple[float, float]] = []  # from when to when such calls ran, seconds since 1970
    open_calls: dict[str, str] = {}  # tool use id -> what was called, until its result comes
    first_time: str = ""  # of the first record that was read
    last_time: str = ""


class Handoff(_Document):
    """`handoff.json`: what a session was doing; version 2 of the contract and what we add to it."""

    version: int = 2
    timestamp: str = ""
    session: int = 0
    git: GitState = msgspec.field(default_factory=GitState)
    tasks: list[str] = []
    files_read: list[str] = []
    recent_commits: list[CommitShort] = []
    context: str = ""  # at most 2 KB: the words that go into the context after a compaction
    session_id: str = ""
    agent: str = "claude-code"
    saved_by: SavedBy = "person"
    last_request: str = ""
    earlier_request: str = ""  # where the last one is short: the one before it that says what is wanted
    files_edited: list[str] = []
    worked: list[RanCommand] = []
    failed: list[RanCommand] = []
    running: list[str] = []  # shell lines that go on in the background
    questions: list[str] = []
    lessons: list[str] = []  # slugs of the lessons that fired
    partial: str = ""  # says so where only a part of the transcript was read
    offer: str = ""  # one line for the next session in the same project
