"""A candidate as it is stored in, the record that people and programs see out."""

import msgspec

from lessons.config import Scoring
from lessons.model import HIGHEST_PRIORITY, LONGEST_SUMMARY, Scope
from lessons.promote.queue.expected_saving import expected_saving
from lessons.store.history.queue import Occurrence, StoredCandidate

PROTOCOL = "protocol"
_BASE_PRIORITY = 5
_UNREADABLE = "This candidate could not be analysed."


class Evidence(msgspec.Struct, rename="camel", frozen=True):
    """One occurrence; null where a tier has no such thing."""

    tool_use_id: str | None
    fix_tool_use_id: str | None
    session_id: str
    uuid: str | None
    file: str
    time: str


class Quote(msgspec.Struct, frozen=True):
    """The words of one occurrence, secrets taken out."""

    failed: str = ""
    error: str = ""
    worked: str = ""


class Mined(msgspec.Struct, rename="camel", frozen=True):
    """What mining wrote about a candidate; each tier fills in what it knows."""

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
    user_correction: bool = False
    fixes: list[str] = []
    triggers: dict[str, object] = {}  # these last are of imports alone
    project: str = ""
    source: str = ""
    fault: str = ""  # why mining could not describe it


class Signals(msgspec.Struct, rename="camel", frozen=True):
    """What else was noticed."""

    user_correction: bool


class Candidate(msgspec.Struct, rename="camel", kw_only=True, omit_defaults=False):
    """One candidate of the queue; the first keys are those of the data model, in its order."""

    index: int = 0
    tool: str
    confidence: float
    priority: int
    occurrence_count: int
    session_count: int
    project_count: int
    projects: list[str]
    problem: str
    solution: str
    tags: list[str]
    trigger: str
    source_session_ids: list[str]
    signals: Signals
    tier: int
    kind: str
    fingerprint: str
    status: str = "candidate"
    summary: str
    scope: Scope
    needs_review: bool = True
    first_seen: str
    last_seen: str
    minutes_lost: float
    calls_lost: int
    error: str
    quotes: list[Quote]
    evidence: list[Evidence]
    proposed_trigger: dict[str, object] | None = None
    no_trigger: str | None = None
    source: str = ""
    fault: str | None = None  # set where it could not be analysed


def mined_of(stored: StoredCandidate) -> Mined:
    """What mining wrote; where that cannot be read, a record that says so."""
    try:
        return msgspec.json.decode(stored.document, type=Mined, strict=False)
    except msgspec.MsgspecError as fault:
        return Mined(fault=f"{type(fault).__name__} in its document")


def candidate_of(stored: StoredCandidate, mined: Mined, scoring: Scoring) -> Candidate:
    """The record, still without its place in the queue and without a trigger."""
    sessions = list(dict.fromkeys(each.session_id for each in stored.evidence))
    projects = sorted({mined.project, *(each.project for each in stored.evidence)} - {""})
    times = [each.time for each in stored.evidence if each.time]
    problem = _UNREADABLE if mined.fault else mined.problem
    return Candidate(
        tool=mined.tool,
        confidence=stored.confidence,
        priority=_priority(scoring, mined, len(stored.evidence), len(sessions), len(projects)),
        occurrence_count=len(stored.evidence),
        session_count=len(sessions),
        project_count=len(projects),
        projects=[_name(path) for path in projects],
        problem=problem,
        solution=mined.solution,
        tags=mined.tags,
        trigger=mined.trigger,
        source_session_ids=sessions,
        signals=Signals(mined.user_correction),
        tier=stored.tier,
        kind=stored.kind,
        fingerprint=stored.fingerprint,
        summary=mined.summary or _first_line(problem),
        scope=_scope(projects),
        first_seen=min(times, default=""),
        last_seen=max(times, default=""),
        minutes_lost=round(mined.minutes_lost, 1),
        calls_lost=mined.calls_lost,
        error=mined.error,
        quotes=mined.quotes,
        evidence=[_evidence(each) for each in stored.evidence],
        source=mined.source,
        fault=mined.fault or None,
    )


def saving_of(candidate: Candidate) -> float:
    return expected_saving(
        confidence=candidate.confidence,
        occurrences=candidate.occurrence_count,
        sessions=candidate.session_count,
        projects=candidate.project_count,
        calls_lost=candidate.calls_lost,
        minutes_lost=candidate.minutes_lost,
    )


def _priority(scoring: Scoring, mined: Mined, occurrences: int, sessions: int, projects: int) -> int:
    priority = _BASE_PRIORITY
    priority += scoring.multi_session_bonus if sessions >= 2 else 0
    priority += scoring.multi_project_bonus if projects >= 2 else 0
    priority += scoring.hang_timeout_bonus if mined.hang else 0
    priority += scoring.user_correction_bonus if mined.user_correction else 0
    priority += scoring.single_occurrence_penalty if occurrences == 1 else 0
    return max(1, min(HIGHEST_PRIORITY, priority))


def _scope(projects: list[str]) -> Scope:
    """What was seen in several projects is not about one of them."""
    return Scope(type="project", path=projects[0]) if len(projects) == 1 else Scope(type="global")


def _name(path: str) -> str:
    return path.rstrip("/\\").replace("\\", "/").rpartition("/")[2] or path


def _first_line(text: str) -> str:
    """Whole words of it: a lesson's summary may not look cut off."""
    line = " ".join((text.strip().splitlines() or [""])[0].split())
    if len(line) <= LONGEST_SUMMARY:
        return line
    return line[: LONGEST_SUMMARY + 1].rpartition(" ")[0] or line[:LONGEST_SUMMARY]


def _evidence(each: Occurrence) -> Evidence:
    return Evidence(
        tool_use_id=each.tool_use_id or None,
        fix_tool_use_id=each.fix_tool_use_id or None,
        session_id=each.session_id,
        uuid=each.uuid or None,
        file=each.file,
        time=each.time,
    )
