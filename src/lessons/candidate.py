"""The nouns of the queue: what mining stores about a mistake that may become a lesson, and where it was seen."""

from typing import Literal, TypeAlias

import msgspec

from lessons.episode import Kind as MistakeKind
from lessons.model import Scope

# Where a candidate comes from: a tag, an import or a review, failed calls with their fixes, or what a person typed.
Tier: TypeAlias = Literal[1, 2, 3]
WRITTEN: Literal[1] = 1
FAILURE: Literal[2] = 2
CORRECTION: Literal[3] = 3

# The kind of mistake; of the other tiers, where the candidate comes from.
CandidateKind: TypeAlias = MistakeKind | Literal["tag", "correction", "import", "review", "report"]
PROTOCOL: Literal["protocol"] = "protocol"
IMPORT: Literal["import"] = "import"
REVIEW: Literal["review"] = "review"  # what code reviews keep finding
REPORT: Literal["report"] = "report"  # what an agent reported over MCP
# Stand where the evidence of other candidates names a session: a pull request, or a review of none.
REVIEW_SESSIONS = ("pr-", "review-")

# How a solution begins that names no remedy.
WITHOUT_REMEDY = ("The remedy is not known", "No replacement was seen", "The error itself proposes")

WAITING = "candidate"  # the status of one that nobody has decided about; the others are the actions of decisions


REJECTED = "archived"  # what `lessons review` calls rejected; the name in the tables and in JSON


def word_for(status: str) -> str:
    """The word for people: a lesson is retired, a candidate rejected."""
    return "rejected" if status == REJECTED else status


class Quote(msgspec.Struct, frozen=True):
    """One occurrence in the transcript's own words, redacted."""

    failed: str = ""
    error: str = ""
    worked: str = ""  # empty where no call is known to have worked


class CandidateDocument(msgspec.Struct, rename="camel", frozen=True):
    """What is stored in words about a candidate; each tier fills in what it has."""

    tool: str = ""
    family: str = ""
    problem: str = ""
    solution: str = ""
    summary: str = ""
    trigger: str = ""
    error: str = ""
    quotes: list[Quote] = []
    tags: list[str] = []
    calls_lost: int = 0
    minutes_lost: float = 0.0
    fixed: int = 0
    hang: bool = False
    cause_named: bool = False  # an error says itself what was wrong with the call
    user_correction: bool = False
    aliases: list[str] = []  # fingerprints it would have without its first occurrence: decisions may name one of them
    fixes: list[str] = []
    triggers: dict[str, object] = {}  # the next three are of imports and reviews alone
    project: str = ""
    source: str = ""
    fault: str = ""  # why it could not be described

    def text(self, *keys: str) -> str:
        """As JSON, with these keys alone: a tier leaves out what it never has."""
        document: dict[str, object] = msgspec.to_builtins(self)
        return msgspec.json.encode({key: document[key] for key in keys} if keys else document).decode()


def document_from(text: str) -> CandidateDocument:
    """The stored document; where it cannot be read, one that says so."""
    try:
        return msgspec.json.decode(text, type=CandidateDocument, strict=False)
    except msgspec.MsgspecError as fault:
        return CandidateDocument(fault=f"{type(fault).__name__} in its document")


class Wording(msgspec.Struct, rename="camel", frozen=True):
    """What an agent or a person made of a candidate when asked (`lessons refine`), checked against the history."""

    by: str  # claude-code, a file
    time: str
    worth_a_lesson: bool
    reason: str = ""  # why it is not worth one
    summary: str = ""
    problem: str = ""
    solution: str = ""
    triggers: dict[str, object] = {}
    scope: Scope | None = None
    cited_tool_use_ids: list[str] = []
    quoted_in: list[list[str]] = []  # for each word that calls have: such calls, without which it is forgotten
    unproven: list[str] = []  # code of the solution that no call of the history shows to work
    at_error: bool = False  # its own trigger was refused
    split_into: list[list[str]] = []
    merge_with: str = ""


class Occurrence(msgspec.Struct, frozen=True, gc=False):
    """One time that it happened; what does not apply is empty."""

    session_id: str
    uuid: str
    tool_use_id: str
    fix_tool_use_id: str
    project: str
    time: str
    file: str
    agent: str = ""  # that wrote the file


class StoredCandidate(msgspec.Struct, frozen=True):
    """A candidate as the history holds it, with every occurrence, the oldest first."""

    fingerprint: str
    tier: Tier
    kind: CandidateKind
    document: CandidateDocument
    confidence: float
    evidence: list[Occurrence]
