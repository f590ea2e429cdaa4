"""The nouns of code reviews: entries of the review log, recurring patterns, and the warnings of a rule."""

from typing import Literal

import msgspec

EntryType = Literal["review", "retrospective"]
# The origin of an entry: options of a verb, JSON, a review log in markdown, or the output of `gh`.
OriginType = Literal["manual", "json", "markdown", "github"]

SEVERITIES = ("critical", "major", "minor", "trivial")
RESOLUTIONS = ("fixed", "deferred", "rejected")


class _Document(msgspec.Struct, rename="camel", kw_only=True, omit_defaults=False):
    """Uses camel-case names, as in the files."""


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


class WarnedFiles(msgspec.Struct):
    """`warned-files.json`: `<file>::<slug>` -> time of the first warning; any key may occur."""
