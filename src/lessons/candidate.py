"""The nouns of the queue: what mining stores about a mistake that may become a lesson, and where it was seen."""

from typing import Literal, TypeAlias

import msgspec

from lessons.episode import Kind as MistakeKind
from lessons.model import Scope

# The origin of a candidate: a tag, an import or a review; failed calls with their fixes; or what a person typed.
Tier: TypeAlias = Literal[1, 2, 3]
WRITTEN: Literal[1] = 1
FAILURE: Literal[2] = 2
CORRECTION: Literal[3] = 3

# The kind of mistake; for the other tiers the origin of the candidate.
CandidateKind: TypeAlias = MistakeKind | Literal["tag", "correction", "import", "review", "report"]
IMPORT: Literal["import"] = "import"
REVIEW: Literal["review"] = "review"  # recurring findings of code reviews
REPORT: Literal["report"] = "report"  # reported by an agent over MCP
LEARNED = "candidate:learned"  # the tag of a lesson that an agent or a person wrote when asked
# In evidence these replace a session id: a pull request, or a review without one.
REVIEW_SESSIONS = ("pr-", "review-")

WAITING = "candidate"  # the status of an undecided candidate; the others are the actions of decisions


REJECTED = "archived"  # shown as "rejected" by `lessons review`; this is the name in tables and JSON


def word_for(status: str) -> str:
    """Returns the word shown to users: a lesson is retired, a candidate rejected."""
    return "rejected" if status == REJECTED else status


class Quote(msgspec.Struct, frozen=True):
    """One occurrence as quoted from the transcript, redacted."""

    failed: str = ""
    error: str = ""
    worked: str = ""  # empty if no call is known to have worked


class CandidateDocument(msgspec.Struct, rename="camel", frozen=True):
    """The stored texts about a candidate; each tier fills in what it has."""

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
    fixed: int = 0  # occurrences that were followed by a call that worked
    hang: bool = False
    user_correction: bool = False
    unless: str = ""  # only tags set this and the next
    scope: str = ""  # global, project or machine; anything else says nothing
    aliases: list[str] = []  # its fingerprints without its first occurrence: decisions may name one of them
    fixes: list[str] = []
    triggers: dict[str, object] = {}  # only imports and reviews set this and the next three
    kept: dict[str, object] = {}  # fields of its lesson, for when it becomes one
    project: str = ""
    source: str = ""
    fault: str = ""  # why it could not be described

    def text(self, *keys: str) -> str:
        """Returns JSON with only these keys: a tier leaves out what it never has."""
        document: dict[str, object] = msgspec.to_builtins(self)
        return msgspec.json.encode({key: document[key] for key in keys} if keys else document).decode()


def document_from(text: str) -> CandidateDocument:
    """Returns the stored document; if it is unreadable, one with `fault` set."""
    try:
        return msgspec.json.decode(text, type=CandidateDocument, strict=False)
    except msgspec.MsgspecError as fault:
        return CandidateDocument(fault=f"{type(fault).__name__} in its document")


class Wording(msgspec.Struct, rename="camel", frozen=True):
    """An agent's or person's wording of a candidate (`lessons learn`), checked against the history."""

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
    quoted_in: list[list[str]] = []  # for each word that calls have: those calls; without them it is deleted
    unproven: list[str] = []  # code of the solution that no call of the history shows to work
    at_error: bool = False  # its trigger at the call was refused
    slug: str = ""  # of the lesson it became
    caught: int = 0  # failed calls on which it fires; of a correction the calls it is about
    disturbed: int = 0  # other calls on which it fires before they run: good ones, unless it is of a correction


class Occurrence(msgspec.Struct, frozen=True, gc=False):
    """One occurrence of the mistake; fields that do not apply are empty."""

    session_id: str
    uuid: str
    tool_use_id: str
    fix_tool_use_id: str
    project: str
    time: str
    file: str
    agent: str = ""  # the agent that wrote the file


class StoredCandidate(msgspec.Struct, frozen=True):
    """A candidate as stored in the history, with every occurrence, oldest first."""

    fingerprint: str
    tier: Tier
    kind: CandidateKind
    document: CandidateDocument
    confidence: float
    evidence: list[Occurrence]

    @property
    def names(self) -> list[str]:
        """Its fingerprint, and those that decisions may use instead."""
        return [self.fingerprint, *self.document.aliases]
