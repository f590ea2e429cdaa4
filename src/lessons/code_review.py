"""The nouns of code reviews: entries of the review log, what recurs in them, and where a rule has warned."""

from typing import Literal

import msgspec

EntryType = Literal["review", "retrospective"]
# Where an entry comes from: options of a verb, JSON, a review log in markdown, or the output of `gh`.
OriginType = Literal["manual", "json", "markdown", "github"]

SEVERITIES = ("critical", "major", "minor", "trivial")
RESOLUTIONS = ("fixed", "deferred", "rejected")


class _Document(msgspec.Struct, rename="camel", kw_only=True, omit_defaults=False):
    """Names in camel case, as the files have them."""


class Origin(_Document):
    """Where an entry was read, so that it is recognised when the same source is read again."""

    type: OriginType = "manual"
    file: str = ""  # from the root of the project on; empty where there is no file to read again
    key: str = ""  # names the entry in its source


class Finding(_Document):
    """One thing that a reviewer found."""

    pattern: str  # a slug
    text: str = ""  # the reviewer's words, redacted
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
    # Of reviews alone.
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
    # Of retrospectives alone.
    rounds: int = 0
    total_items: int = 0
    churn_chains: int = 0
    automation_candidates: list[str] = []
    skills_to_update: list[str] = []
    process_improvements: list[str] = []
    # Ours.
    origin: Origin = msgspec.field(default_factory=Origin)
    archived: bool = False

    @property
    def key(self) -> str:
        """What makes it the same entry when it is read again."""
        return self.origin.key or f"id:{self.id}"

    def pattern_names(self) -> list[str]:
        """The patterns that it names: those of a review, or what a retrospective wants to have automated."""
        return self.patterns if self.type == "review" else self.automation_candidates


_OF_REVIEWS = (
    *("title", "source", "patterns", "critical", "major", "minor", "trivial", "total", "sourceBreakdown", "findings"),
)
_OF_RETROSPECTIVES = (
    *("type", "rounds", "totalItems", "churnChains", "automationCandidates", "skillsToUpdate", "processImprovements"),
)


def entry_document(entry: ReviewEntry) -> dict[str, object]:
    """The fields of its kind alone, as the line has them."""
    document: dict[str, object] = msgspec.to_builtins(entry)
    foreign = _OF_RETROSPECTIVES if entry.type == "review" else _OF_REVIEWS
    return {name: value for name, value in document.items() if name not in foreign}


class RecurringPattern(_Document):
    """A pattern that came back: in at least 3 entries and at least 2 pull requests."""

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
    """`consolidation.json`: what recurs, recomputed from all entries each time."""

    last_consolidated_review: int | str | None = None  # the newest entry that was there
    consolidation_number: int = 0  # how often the entries had changed when it ran
    last_date: str = ""
    threshold: int = 10  # so many new entries start it by themselves
    entries: dict[str, str] = {}  # key of each entry that was there -> digest of what it said
    patterns: list[RecurringPattern] = []


class WarnedFiles(msgspec.Struct):
    """`warned-files.json`: `<file>::<slug>` -> when the first warning was; any key may occur."""
