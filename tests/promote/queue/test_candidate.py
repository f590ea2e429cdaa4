"""The record of a candidate: counts, scope and priority from its evidence and the settings."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lessons.candidate import CandidateDocument, Occurrence, StoredCandidate, Tier, document_from
from lessons.config import Scoring
from lessons.model import LONGEST_SUMMARY
from lessons.promote.candidate import Candidate, candidate_of, expected_saving
from tests.builders.candidates import GARDEN, SHOP
from tests.tables import table

SCORING = Scoring(
    multi_session_bonus=2,
    multi_project_bonus=1,
    hang_timeout_bonus=1,
    user_correction_bonus=1,
    single_occurrence_penalty=-1,
)
SEED_KEYS = (
    "index tool confidence priority occurrenceCount sessionCount projectCount projects problem solution tags trigger"
    " sourceSessionIds signals"
).split()


def occurrence(session: str = "s1", project: str = SHOP, time: str = "t1", uuid: str = "u1") -> Occurrence:
    return Occurrence(session, uuid, "c1", "", project, time, "/a")


def record(*seen: Occurrence, document: CandidateDocument | None = None, scoring: Scoring = SCORING) -> Candidate:
    words = document or CandidateDocument(problem="p")
    stored = StoredCandidate("f", 2, "wrong-flag", words, 0.5, list(seen))
    return candidate_of(stored, scoring)


@table("document", ["", "[]", '{"tags": 7}', '{"quotes": [1]}', "not json"])
def test_what_cannot_be_read_says_so(document: str) -> None:
    unreadable = document_from(document)
    assert "in its document" in unreadable.fault
    candidate = record(document=unreadable)
    assert candidate.fault == unreadable.fault
    assert "could not be analysed" in candidate.problem


def test_a_tier_need_not_know_everything() -> None:
    tag = '{"problem": "p", "solution": "s", "confidence": 0.9, "scope": "project", "tags": ["lang:go"]}'
    assert document_from(tag) == CandidateDocument(problem="p", solution="s", tags=["lang:go"], scope="project")


def test_counts_are_of_different_sessions_and_projects() -> None:
    seen = [occurrence("s2", GARDEN, "t3"), occurrence("s1", SHOP, "t1"), occurrence("s2", SHOP, ""), occurrence("s2")]
    found = record(*seen)
    assert (found.occurrence_count, found.session_count, found.project_count) == (4, 2, 2)
    assert (found.source_session_ids, found.projects) == (["s2", "s1"], ["garden", "shop"])
    assert (found.first_seen, found.last_seen) == ("t1", "t3")


@table(
    ("projects", "scope", "names"),
    [
        (["", ""], {"type": "global"}, []),
        (["", SHOP], {"type": "project", "path": SHOP}, ["shop"]),
        ([SHOP, GARDEN], {"type": "global"}, ["garden", "shop"]),
        (["/a/shop", "/b/shop/"], {"type": "global"}, ["shop", "shop"]),
        (["C:\\work\\shop"], {"type": "project", "path": "C:\\work\\shop"}, ["shop"]),
        (["/"], {"type": "project", "path": "/"}, ["/"]),
    ],
)
def test_scope_by_projects(projects: list[str], scope: dict[str, str], names: list[str]) -> None:
    found = record(*(occurrence(project=project) for project in projects))
    assert (msgspec.to_builtins(found.scope), found.projects) == (scope, names)


SECOND_SESSION, SECOND_PROJECT = occurrence("s2"), occurrence(project=GARDEN)
FIRST, SAME = occurrence(), occurrence(uuid="u2")


@table(
    ("seen", "document", "priority"),
    [
        ([FIRST], CandidateDocument(), 4),
        ([FIRST, SAME], CandidateDocument(), 5),
        ([FIRST, SECOND_SESSION], CandidateDocument(), 7),
        ([FIRST, SECOND_PROJECT], CandidateDocument(), 6),
        ([FIRST, SAME], CandidateDocument(hang=True), 6),
        ([FIRST, SAME], CandidateDocument(tags=["topic:hang"]), 5),
        ([FIRST, SAME], CandidateDocument(tags=["tool:vim", "severity:hang"]), 6),
        ([FIRST, SAME], CandidateDocument(hang=True, tags=["severity:hang"]), 6),
        ([FIRST, SAME], CandidateDocument(user_correction=True), 6),
        ([FIRST, SECOND_SESSION, SECOND_PROJECT], CandidateDocument(hang=True, user_correction=True), 10),
    ],
)
def test_priority(seen: list[Occurrence], document: CandidateDocument, priority: int) -> None:
    assert record(*seen, document=document).priority == priority


@table(("bonus", "priority"), [(10, 10), (-10, 1)])
def test_priority_stays_within_its_bounds(bonus: int, priority: int) -> None:
    scoring = msgspec.structs.replace(SCORING, multi_session_bonus=bonus)
    assert record(FIRST, SECOND_SESSION, scoring=scoring).priority == priority


def test_the_document_has_the_keys_of_the_data_model_first() -> None:
    document = msgspec.to_builtins(record(FIRST))
    assert list(document)[: len(SEED_KEYS)] == SEED_KEYS
    assert document["signals"] == {"userCorrection": False}
    assert (document["needsReview"], document["status"], document["confidence"]) == (True, "candidate", 0.5)
    assert document["evidence"] == [
        {
            "toolUseId": "c1",
            "fixToolUseId": None,
            "sessionId": "s1",
            "uuid": "u1",
            "file": "/a",
            "time": "t1",
            "agent": None,
        }
    ]


@table(
    ("problem", "summary"),
    [("", ""), ("first  line\nsecond", "first line"), ("word " * 40, ("word " * 24).strip()), ("x" * 200, "x" * 120)],
)
def test_a_summary_is_made_of_whole_words(problem: str, summary: str) -> None:
    assert record(FIRST, document=CandidateDocument(problem=problem)).summary == summary
    assert len(summary) <= LONGEST_SUMMARY
    assert record(FIRST, document=CandidateDocument(problem=problem, summary="own")).summary == "own"


@table(
    ("document", "tags"),
    [
        (CandidateDocument(tool="Bash", trigger="/opt/x y", family="../x"), []),
        (CandidateDocument(tool="Bash"), []),
        (CandidateDocument(tool="Bash", trigger="pytest -q x", family="pytest"), ["tool:pytest"]),
        (CandidateDocument(tool="Bash", trigger="", family="gh pr diff"), ["tool:gh"]),
        (CandidateDocument(tool="Edit"), ["tool:edit"]),
        (CandidateDocument(tool="Bash", trigger="make x", tags=["tool:make", "lang:c"]), ["tool:make", "lang:c"]),
        (CandidateDocument(tool="Bash", trigger="make x", hang=True), ["tool:make", "severity:hang"]),
    ],
)
def test_what_was_mined_is_tagged_with_its_program(document: CandidateDocument, tags: list[str]) -> None:
    assert record(occurrence(), document=document).tags == tags


@table("tier", [1, 3])
def test_what_was_said_need_not_be_about_the_tool_of_a_call(tier: Tier) -> None:
    words = CandidateDocument(tool="Bash", trigger="make x")
    stored = StoredCandidate("f", tier, "tag", words, 0.5, [occurrence()])
    assert candidate_of(stored, SCORING).tags == []


# What is expected to be saved.

ONCE: dict[str, float] = {"confidence": 0.5, "occurrences": 2, "sessions": 2, "projects": 1, "calls_lost": 4}


def saving(**changes: float) -> float:
    return expected_saving(**{**ONCE, **changes})  # type: ignore[arg-type]


def test_nothing_is_saved_by_what_never_happened() -> None:
    assert saving(occurrences=0, sessions=0, projects=0) == 0
    assert saving(confidence=0) == 0


def test_a_long_pause_is_no_loss() -> None:
    assert saving(minutes_lost=100_000) == saving(minutes_lost=1_000)


@table(
    "more",
    [
        {"confidence": 0.6},
        {"occurrences": 3, "sessions": 3, "calls_lost": 6},
        {"projects": 2},
        {"calls_lost": 8},
        {"minutes_lost": 3.0},
    ],
)
def test_more_is_worth_more(more: dict[str, float]) -> None:
    assert saving(**more) > saving()


@given(
    confidence=st.floats(0, 1),
    occurrences=st.integers(0, 10**6),
    sessions=st.integers(0, 10**4),
    projects=st.integers(0, 10**3),
    calls_lost=st.integers(-1, 10**6),
    minutes_lost=st.floats(-1, 10**6),
)
def test_it_is_a_number_whatever_was_counted(**counted: float) -> None:
    assert 0 <= expected_saving(**counted) < float("inf")  # type: ignore[arg-type]
