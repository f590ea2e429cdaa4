"""The record of a candidate, as people and programs see it."""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from lessons.candidate import (
    FAILURE,
    CandidateDocument,
    CandidateKind,
    Quote,
    StoredCandidate,
    Tier,
    Wording,
)
from lessons.config import Scoring
from lessons.match.call import canonical_name
from lessons.model import HIGHEST_PRIORITY, LONGEST_SUMMARY, Scope
from lessons.store.history.candidates import ProposedTrigger
from lessons.store.project_folder import project_name

# A failed call costs about this much of a session, in addition to the measured time.
_MINUTES_PER_CALL = 0.5
# A late fix may belong to something else: more than this per occurrence is ignored.
_MOST_MINUTES = 3.0
_MOST_CALLS = 3.0
# Nothing was measured for a tag or a correction, but someone found it worth a sentence.
_CALLS_UNMEASURED = 2.0


def expected_saving(
    *,
    confidence: float,
    occurrences: int,
    sessions: int,
    projects: int,
    calls_lost: int = 0,
    minutes_lost: float = 0.0,
) -> float:
    """Returns the confidence times how often it comes back times the cost of one occurrence."""
    if occurrences <= 0:
        return 0.0
    calls = min(calls_lost / occurrences, _MOST_CALLS) if calls_lost > 0 else _CALLS_UNMEASURED
    minutes = min(max(0.0, minutes_lost) / occurrences, _MOST_MINUTES)
    # Many times in one session is one bad hour; other sessions and projects show that it comes back.
    comes_back = sessions + projects - 1 + math.log2(occurrences / sessions if sessions else 1)
    return confidence * max(1.0, comes_back) * (_MINUTES_PER_CALL * calls + minutes)


_BASE_PRIORITY = 5
_HANGS = {"severity:hang", "severity:timeout"}
_PROGRAM = re.compile(r"[A-Za-z][\w.+-]{0,40}")
_UNREADABLE = "This candidate could not be analysed."


class Evidence(msgspec.Struct, rename="camel", frozen=True, gc=False):
    """One occurrence; null for what a tier does not have."""

    tool_use_id: str | None
    fix_tool_use_id: str | None
    session_id: str
    uuid: str | None
    file: str
    time: str
    agent: str | None = None


class Signals(msgspec.Struct, rename="camel", frozen=True):
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
    tier: Tier
    kind: CandidateKind
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
    acts_at: str | None = None  # call, error or start
    source: str = ""
    kept: dict[str, object] = {}
    fault: str | None = None  # set if it could not be analysed
    worded: Wording | None = None  # the text of an agent or a person who was asked


def put_wording(candidate: Candidate, wording: Wording) -> None:
    """Replaces the text made by the rules; an answer that it is not a lesson changes nothing."""
    candidate.worded = wording
    if wording.worth_a_lesson:
        candidate.summary, candidate.problem = wording.summary, wording.problem
        candidate.solution = wording.solution


def put_trigger(candidate: Candidate, trigger: ProposedTrigger) -> None:
    candidate.proposed_trigger, candidate.no_trigger = trigger.triggers, trigger.reason
    candidate.acts_at = trigger.acts_at
    candidate.scope = trigger.scope or candidate.scope


def put_worded_trigger(candidate: Candidate, wording: Wording) -> None:
    if wording.worth_a_lesson:
        candidate.proposed_trigger, candidate.no_trigger = wording.triggers, None
        candidate.scope = wording.scope or candidate.scope
        candidate.acts_at = "error" if wording.triggers.keys() <= {"errorPatterns", "toolNames"} else "call"


def notes_on(candidate: Candidate) -> list[str]:
    """Returns one sentence each about a text that was learned, for the person who decides."""
    wording = candidate.worded
    if wording is None:
        return []
    if not wording.worth_a_lesson:
        return [f"{wording.by} says that this is not worth a lesson: {wording.reason}"]
    found = [f"Worded by {wording.by}, and tested on your history."]
    if wording.unproven:
        found.append(f"Unproven: no call that worked shows {' or '.join(f'`{code}`' for code in wording.unproven)}.")
    if wording.at_error:
        found.append("Its trigger at the call was refused, so it fires on the error.")
    return found


def candidate_of(stored: StoredCandidate, scoring: Scoring) -> Candidate:
    """Returns the record, without its position in the queue and without a trigger."""
    document, occurrences = stored.document, len(stored.evidence)
    times = [each.time for each in stored.evidence if each.time]
    sessions = list(dict.fromkeys(each.session_id for each in stored.evidence))
    projects = sorted({document.project, *(each.project for each in stored.evidence)} - {""})
    problem = _UNREADABLE if document.fault else document.problem
    return Candidate(
        tool=document.tool,
        confidence=stored.confidence,
        priority=_priority(scoring, document, occurrences, len(sessions), len(projects)),
        occurrence_count=occurrences,
        session_count=len(sessions),
        project_count=len(projects),
        projects=[project_name(path) for path in projects],
        problem=problem,
        solution=document.solution,
        tags=_tags(stored),
        trigger=document.trigger,
        source_session_ids=sessions,
        signals=Signals(document.user_correction),
        tier=stored.tier,
        kind=stored.kind,
        fingerprint=stored.fingerprint,
        summary=document.summary or _first_line(problem),
        scope=_scope(document.scope, projects),
        first_seen=min(times, default=""),
        last_seen=max(times, default=""),
        minutes_lost=round(document.minutes_lost, 1),
        calls_lost=document.calls_lost,
        error=document.error,
        quotes=document.quotes,
        evidence=[
            Evidence(
                each.tool_use_id or None,
                each.fix_tool_use_id or None,
                each.session_id,
                each.uuid or None,
                each.file,
                each.time,
                each.agent or None,
            )
            for each in stored.evidence
        ],
        source=document.source,
        kept=document.kept,
        fault=document.fault or None,
    )


def is_gone(candidate: Candidate) -> bool:
    """Whether its calls are no longer in the history, although they were when the queue was read."""
    return candidate.occurrence_count > 0 and not candidate.evidence


def saving_of(candidate: Candidate) -> float:
    return expected_saving(
        confidence=candidate.confidence,
        occurrences=candidate.occurrence_count,
        sessions=candidate.session_count,
        projects=candidate.project_count,
        calls_lost=candidate.calls_lost,
        minutes_lost=candidate.minutes_lost,
    )


def _priority(scoring: Scoring, document: CandidateDocument, occurrences: int, sessions: int, projects: int) -> int:
    priority = _BASE_PRIORITY
    priority += scoring.multi_session_bonus if sessions >= 2 else 0
    priority += scoring.multi_project_bonus if projects >= 2 else 0
    priority += scoring.hang_timeout_bonus if document.hang or _HANGS & set(document.tags) else 0
    priority += scoring.user_correction_bonus if document.user_correction else 0
    priority += scoring.single_occurrence_penalty if occurrences == 1 else 0
    return max(1, min(HIGHEST_PRIORITY, priority))


def _tags(stored: StoredCandidate) -> list[str]:
    """Returns its own tags; for failed calls also the program or tool, and whether it hung."""
    document = stored.document
    found = list(document.tags)
    if stored.tier == FAILURE:
        # The blamed command comes first; a person's correction need not be about the tool of the call.
        tool = "" if canonical_name(document.tool) == "Bash" else document.tool
        words = (text.split(" ")[0] for text in (document.trigger, document.family, tool))
        found += [f"tool:{word.lower()}" for word in words if _PROGRAM.fullmatch(word)][:1]
        found += ["severity:hang"] if document.hang else []
    return list(dict.fromkeys(found))


def _scope(written: str, projects: list[str]) -> Scope:
    """As written; a mistake seen in several projects is not about one of them."""
    if written in ("global", "machine"):
        return Scope(type="global" if written == "global" else "machine")
    return Scope(type="project", path=projects[0]) if len(projects) == 1 else Scope(type="global")


def _first_line(text: str) -> str:
    """Returns whole words of it: a lesson's summary must not look cut off."""
    line = " ".join((text.strip().splitlines() or [""])[0].split())
    if len(line) <= LONGEST_SUMMARY:
        return line
    return line[: LONGEST_SUMMARY + 1].rpartition(" ")[0] or line[:LONGEST_SUMMARY]


class Seen(NamedTuple):
    """Figures of the calls that the candidates list, each counted once."""

    times: int
    sessions: int
    projects: list[str]  # names
    project_count: int  # two projects may have the same name
    minutes_lost: float
    first: str
    last: str


def seen_of(candidates: Sequence[Candidate]) -> Seen:
    evidence = [each for candidate in candidates for each in candidate.evidence]
    # Two remarks of a person about one call count twice.
    calls = {
        (candidate.tier == FAILURE and each.tool_use_id) or (each.session_id, each.uuid, each.time)
        for candidate in candidates
        for each in candidate.evidence
    }
    times = [each.time for each in evidence if each.time]
    projects = list(dict.fromkeys(name for candidate in candidates for name in candidate.projects))
    return Seen(
        len(calls),
        len({each.session_id for each in evidence}),
        projects,
        max(len(projects), *(candidate.project_count for candidate in candidates)),
        sum(candidate.minutes_lost for candidate in candidates),
        min(times, default=""),
        max(times, default=""),
    )
