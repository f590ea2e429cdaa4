"""The nouns of docs/STATE.md: typed records of the state files of a project, its sessions, reviews and alerts."""

from datetime import UTC, datetime
from typing import Literal, NamedTuple

import msgspec


class _Document(msgspec.Struct, rename="camel", kw_only=True, omit_defaults=False):
    """Base of every file of the contract: camel-case names, all fields always present."""


def seconds(text: str) -> float:
    """Returns 0 if it is not a time; one without a zone counts as UTC."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def time_of(moment: datetime) -> str:
    """Returns the time in UTC, to the millisecond."""
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}"[:23] + "Z"


# Why a handoff was saved: before a compaction, after a turn, at session end, or because a person asked.
SavedBy = Literal["pre-compact", "stop", "session-end", "person"]


class SessionKey(NamedTuple):
    """A session, its project and the data home that stores its state."""

    home: str
    root: str
    id: str
    agent: str = "claude-code"


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
    last_entry: str = ""  # of the reflog: its time, in seconds since 1970


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
    replaces: str | None = None  # the commit that an amended one replaced


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


EntryType = Literal["review", "retrospective"]
# The origin of an entry: options of a verb, JSON, a review log in markdown, or the output of `gh`.
OriginType = Literal["manual", "json", "markdown", "github"]

SEVERITIES = ("critical", "major", "minor", "trivial")
RESOLUTIONS = ("fixed", "deferred", "rejected")


class Origin(_Document):
    """The source of an entry, to recognise it when the same source is read again."""

    type: OriginType = "manual"
    file: str = ""  # relative to the project root; empty if there is no file to read again
    key: str = ""  # identifies the entry in its source


class Finding(_Document):
    pattern: str  # a slug
    text: str = ""  # the reviewer's text, redacted
    path: str = ""
    line: int | None = None
    code: list[str] = []  # code that the reviewer quotes as wrong


class ReviewEntry(_Document):
    """A line of `reviews.jsonl`: a review or a retrospective."""

    id: int | str
    type: EntryType = "review"
    date: str = ""
    pr: int | None = None
    fixed: int = 0
    deferred: int = 0
    rejected: int = 0
    learnings: list[str] = []
    # Only for reviews.
    title: str = ""
    source: str = "manual"
    patterns: list[str] = []  # slugs
    critical: int = 0
    major: int = 0
    minor: int = 0
    trivial: int = 0
    total: int = 0
    source_breakdown: dict[str, int] | None = None
    findings: list[Finding] = []
    # Only for retrospectives.
    rounds: int = 0
    total_items: int = 0
    churn_chains: int = 0
    automation_candidates: list[str] = []
    skills_to_update: list[str] = []
    process_improvements: list[str] = []
    # Our additions.
    origin: Origin = msgspec.field(default_factory=Origin)
    archived: bool = False

    @property
    def key(self) -> str:
        """Identifies the entry when it is read again."""
        return self.origin.key or f"id:{self.id}"

    def pattern_names(self) -> list[str]:
        """Returns the patterns of a review, or what a retrospective wants to automate."""
        return self.patterns if self.type == "review" else self.automation_candidates


_OF_REVIEWS = (
    *("title", "source", "patterns", "critical", "major", "minor", "trivial", "total", "sourceBreakdown", "findings"),
)
_OF_RETROSPECTIVES = (
    *("type", "rounds", "totalItems", "churnChains", "automationCandidates", "skillsToUpdate", "processImprovements"),
)


def entry_document(entry: ReviewEntry) -> dict[str, object]:
    """Returns only the fields of its type, as in the line."""
    document: dict[str, object] = msgspec.to_builtins(entry)
    foreign = _OF_RETROSPECTIVES if entry.type == "review" else _OF_REVIEWS
    return {name: value for name, value in document.items() if name not in foreign}


class RecurringPattern(_Document):
    """A pattern that recurred: in at least 3 entries and at least 2 pull requests."""

    pattern: str  # the most frequent spelling
    words: list[str]  # normalised: what the spellings have in common
    spellings: list[str]
    occurrences: int
    pull_requests: list[int]
    entries: list[int | str]  # ids
    first_seen: str
    last_seen: str
    candidate: str  # its fingerprint in the queue


class Consolidation(_Document):
    """`consolidation.json`: recurring patterns, recomputed from all entries each time."""

    last_consolidated_review: int | str | None = None  # the newest entry at that time
    consolidation_number: int = 0  # how many runs found changed entries
    last_date: str = ""
    threshold: int = 10  # this many new entries start it automatically
    entries: dict[str, str] = {}  # key of each entry at that time -> digest of its content
    patterns: list[RecurringPattern] = []


Severity = Literal["error", "warning", "info"]
ALERT_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


class Alert(_Document):
    """One thing to act on, with the one action for it."""

    id: str
    severity: Severity
    message: str
    action: str
    # What an acknowledgement covers: a problem that changed, or became much larger, gets another mark.
    mark: str = ""
    of_project: bool = True  # False: it is about the whole installation
    at_start: bool = True  # whether a session start mentions it


class AlertRecord(_Document):
    """The stored state of an alert between two runs, without its text."""

    mark: str = ""
    severity: Severity = "info"
    since: str = ""
    last_raised: str = ""
    shown: int = 0  # at how many session starts
    last_shown: str = ""
    acknowledged: bool = False


class AlertsBaseline(_Document):
    """`alerts-baseline.json`: the alerts of the last run that a person looked at, and how each was shown."""

    timestamp: str = ""  # of that run
    seen: dict[str, Severity] = {}  # id -> severity in that run
    alerts: dict[str, AlertRecord] = {}
