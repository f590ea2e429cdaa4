"""The opportunities of a context: first what must not be claimed, then each kind."""

from collections.abc import Sequence

import msgspec

from lessons.failure.error_text import fingerprint
from lessons.match.rule import Rule
from lessons.model import Lesson, Scope
from lessons.opportunity import RECALL, Opportunity
from lessons.prove.opportunities import Judge, Mistake
from lessons.store.history.ledger import Injection
from tests.builders.contexts import DEPLOY, Did, context, judged, outcomes, time_of
from tests.tables import table

ERROR = "no environment"
WRONG, RIGHT = "deploy", "deploy --env test"


@table(
    "calls",
    [
        [],
        [Did("ls"), Did("ls", "no such file")],
        # The same error of a call that it matches is no miss, whether or not a hook was at work.
        [Did("ls", "another error")],
    ],
)
def test_contexts_without_a_chance(calls: list[Did]) -> None:
    assert outcomes(*calls) == []


@table(
    ("calls", "outcome"),
    [
        # Nothing followed, or nothing that tells.
        ([Did(WRONG, ERROR, "hint")], "unknown"),
        ([Did(WRONG, ERROR, "hint"), Did("ls")], "unknown"),
        ([Did(WRONG, ERROR, "hint"), Did(RIGHT, "interrupted")], "unknown"),
        ([Did(WRONG, "unknown", "hint")], "unknown"),
        # Another error is neither the mistake nor a call that went well.
        ([Did(WRONG, "disk full", "hint"), Did("ls")], "unknown"),
        # Its errors went nowhere: nobody can tell how it went.
        ([Did(f"{RIGHT} 2>/dev/null | head", "ok", "hint")], "unknown"),
        ([Did(WRONG, ERROR, "hint"), Did(f"{WRONG} 2>/dev/null || true")], "unknown"),
        # Issued together with the call: nobody had read the hint.
        ([Did(WRONG, ERROR, "hint", "m"), Did(RIGHT, "ok", "", "m")], "unknown"),
        ([Did(WRONG, ERROR, "hint", "m"), Did(WRONG, ERROR, "", "m")], "unknown"),
        # The words went with the call.
        ([Did(WRONG, "rejected", "hint"), Did(RIGHT)], "notDelivered"),
        ([Did(WRONG, "interrupted", "hint"), Did(WRONG, ERROR)], "notDelivered"),
        ([Did(WRONG, "cancelled", "hint")], "notDelivered"),
        ([Did(WRONG, ERROR, "hint"), Did(RIGHT)], "heeded"),
        ([Did(WRONG, ERROR, "hint"), Did("ls"), Did("ls"), Did(RIGHT)], "heeded"),
        # Another error of the changed call is not the mistake.
        ([Did(WRONG, ERROR, "hint"), Did(RIGHT, "disk full")], "heeded"),
        ([Did(WRONG, ERROR, "hint"), Did(WRONG, ERROR)], "ignoredFailed"),
        ([Did(WRONG, ERROR, "hint"), Did(WRONG, "interrupted"), Did(WRONG, ERROR)], "ignoredFailed"),
        # The mistake by another way counts too.
        ([Did(WRONG, ERROR, "hint"), Did("ship", ERROR)], "ignoredFailed"),
        ([Did(RIGHT, "ok", "hint")], "falseAlarm"),
        ([Did(RIGHT, "ok", "hint"), Did("ls"), Did(RIGHT)], "falseAlarm"),
        ([Did(RIGHT, "ok", "hint"), Did("ls"), Did(WRONG, ERROR)], "ignoredFailed"),
    ],
)
def test_hints(calls: list[Did], outcome: str) -> None:
    assert outcomes(*calls) == [("hint", outcome)]


@table("decision", ["stop", "block"])
@table(
    ("calls", "outcome", "failed"),
    [
        ([], "unknown", None),
        ([Did(WRONG, "interrupted")], "unknown", None),
        ([Did(WRONG, "rejected")], "unknown", None),
        ([Did(WRONG, "unknown")], "unknown", None),
        # The rerun failed for another reason: it was neither right nor the mistake.
        ([Did(WRONG, "disk full")], "unknown", False),
        ([Did(RIGHT)], "stoppedCorrected", False),
        ([Did("ls"), Did(RIGHT)], "stoppedCorrected", False),
        ([Did(RIGHT, "disk full")], "stoppedCorrected", False),
        # It went on and left it at that.
        ([Did("ls")], "stoppedCorrected", False),
        ([Did(WRONG, ERROR)], "stoppedRepeated", True),
        ([Did(WRONG, "interrupted"), Did(WRONG, ERROR)], "stoppedRepeated", True),
        ([Did("deploy --fast", ERROR)], "stoppedRepeated", True),
        ([Did(WRONG)], "falseAlarm", False),
    ],
)
def test_stops_and_blocks(calls: list[Did], outcome: str, failed: bool | None, decision: str) -> None:
    (found,) = judged(context(Did(WRONG, "refused", decision), *calls))
    assert (found.decision, found.outcome, found.failed, found.is_active) == (decision, outcome, failed, True)


def test_a_call_that_runs_into_the_block_again() -> None:
    calls = [Did(WRONG, "refused", "block"), Did("deploy --fast", "refused", "block"), Did(RIGHT)]
    assert outcomes(*calls) == [("block", "stoppedRepeated"), ("block", "stoppedCorrected")]


@table("result", ["ok", ERROR])
def test_an_override_counts_once(result: str) -> None:
    """The person decided, not the agent: the block was neither heeded nor ignored."""
    calls = [Did(WRONG, "refused", "block"), Did("ls"), Did(WRONG, result, "allowed")]
    assert outcomes(*calls) == [("block", "unknown"), ("allowed", "overridden")]


def test_a_denied_call_that_ran_all_the_same() -> None:
    assert outcomes(Did(WRONG, "ok", "stop")) == [("stop", "falseAlarm")]
    assert outcomes(Did(WRONG, ERROR, "stop")) == [("stop", "stoppedRepeated")]


@table(
    ("decision", "outcome"),
    [
        ("shadow", "notShown"),
        ("held-out", "heldOut"),
        ("dropped", "notDelivered"),
        ("muted", "notDelivered"),
        ("allowed", "overridden"),
    ],
)
@table(("result", "failed"), [("ok", False), (ERROR, True), ("disk full", False), ("interrupted", None)])
def test_what_the_agent_could_not_read(decision: str, outcome: str, result: str, failed: bool | None) -> None:
    (found,) = judged(context(Did(WRONG, result, decision), Did("ls")))
    assert (found.outcome, found.failed, found.is_active) == (outcome, failed, False)


def test_without_a_line_the_first_match_of_a_context_counts() -> None:
    (found,) = judged(context(Did("ls"), Did(WRONG, ERROR), Did(WRONG, ERROR), Did(RIGHT)))
    assert (found.decision, found.outcome, found.tool_use_id) == ("none", "notShown", "t1")
    assert (found.failed, found.repeated, found.is_active) == (True, True, False)


@table(
    ("calls", "repeated"),
    [
        ([], None),
        ([Did("ls", "interrupted")], None),
        ([Did("ls")], False),
        ([Did(RIGHT), Did(RIGHT)], False),
        ([Did(WRONG, "disk full")], False),
        ([Did(RIGHT), Did(WRONG, ERROR)], True),
        ([Did("ship", ERROR)], True),
    ],
)
@table("decision", ["hint", "", "shadow", "held-out"])
def test_whether_the_mistake_came_again(calls: list[Did], repeated: bool | None, decision: str) -> None:
    found = judged(context(Did(WRONG, ERROR, decision), *calls))[0]
    assert found.repeated is repeated


def test_only_the_first_chance_of_a_context_says_whether_it_came_again() -> None:
    found = judged(context(Did(WRONG, ERROR, "shadow"), Did(RIGHT, "ok", "shadow"), Did(WRONG, ERROR, "shadow")))
    assert [each.repeated for each in found] == [True, None, None]


def test_what_was_not_delivered_was_no_chance_yet() -> None:
    calls = [Did(WRONG, ERROR, "muted"), Did(WRONG, "rejected", "hint"), Did(WRONG, ERROR, "hint"), Did(RIGHT)]
    assert [each.repeated for each in judged(context(*calls))] == [True, True, False]


@table(
    "lesson",
    [
        msgspec.structs.replace(DEPLOY, created_at="2026-10-01T00:00:00Z"),
        msgspec.structs.replace(DEPLOY, created_at=""),
        msgspec.structs.replace(DEPLOY, stage="retired"),
        msgspec.structs.replace(DEPLOY, scope=Scope(type="project", path="/srv/other")),
    ],
)
def test_what_is_no_miss(lesson: Lesson) -> None:
    assert outcomes(Did("ship", ERROR), lesson=lesson) == []


def test_misses() -> None:
    assert outcomes(Did("ship", ERROR), Did("ship", ERROR)) == [("missed", "missed")]
    # The agent had read the lesson.
    assert outcomes(Did(RIGHT, "ok", "hint"), Did("ship", ERROR)) == [("hint", "ignoredFailed")]
    assert outcomes(Did("ship", ERROR), Did(WRONG, ERROR, "hint"), Did(RIGHT)) == [
        ("hint", "heeded"),
        ("missed", "missed"),
    ]


@table("calls", [[Did(RIGHT, "ok", name)] for name in ("shadow", "held-out", "muted", "dropped")])
def test_what_the_agent_could_not_read_hides_no_miss(calls: list[Did]) -> None:
    assert outcomes(*calls, Did("ship", ERROR))[-1] == ("missed", "missed")
    assert outcomes(Did(WRONG, "rejected", "hint"), Did("ship", ERROR))[-1] == ("missed", "missed")


@table(
    ("weight", "failed"),
    [(0.0, False), (0.2, False), (0.3, True), (0.9, True)],
)
def test_the_mistake_of_a_lesson_that_nothing_is_known_of(weight: float, failed: bool) -> None:
    """Below some weight a failure is part of normal work, such as a failing test."""
    (found,) = judged(context(Did(WRONG, "something odd", "shadow", weight=weight)), error="")
    assert found.failed is failed


def test_error_patterns_name_the_mistake() -> None:
    triggers = msgspec.structs.replace(DEPLOY.triggers, error_patterns=["no env[a-z]+"])
    lesson = msgspec.structs.replace(DEPLOY, triggers=triggers)
    assert outcomes(Did(WRONG, ERROR, "hint"), Did(RIGHT), lesson=lesson, error="") == [("hint", "heeded")]
    assert outcomes(Did(WRONG, "odd", "hint"), Did(RIGHT), lesson=lesson, error="") == [("hint", "unknown")]


def test_two_lines_at_one_call_are_one_chance() -> None:
    made = context(Did(WRONG, ERROR, "hint"), Did(RIGHT))
    (line,) = made.injections
    again = msgspec.structs.replace(line, key=9, event="PostToolUseFailure")
    made = msgspec.structs.replace(made, injections=[line, again])
    assert [(each.decision, each.outcome) for each in judged(made)] == [("hint", "heeded")]


def test_a_line_without_a_call_id_is_joined_by_time() -> None:
    made = context(Did("ls"), Did(WRONG, ERROR, "hint"), Did("ls"), Did(RIGHT))
    line = msgspec.structs.replace(made.injections[0], tool_use_id="", time=time_of(2))
    (found,) = judged(msgspec.structs.replace(made, injections=[line]))
    assert (found.tool_use_id, found.outcome) == ("t1", "heeded")


def test_a_line_whose_transcript_was_not_read_yet() -> None:
    made = context(Did(WRONG, ERROR, "hint"))
    (found,) = judged(msgspec.structs.replace(made, calls=[]))
    assert (found.tool_use_id, found.outcome, found.failed, found.repeated) == ("t0", "unknown", None, None)
    assert (found.time, found.agent, found.model, found.project) == (time_of(0), "claude-code", "claude-x", "/srv/shop")


@table(
    ("calls", "outcome", "failed"),
    [
        ([], "unknown", None),
        ([Did("ls")], "unknown", False),
        ([Did("ls"), Did("ship", ERROR)], "ignoredFailed", True),
    ],
)
def test_lessons_shown_at_the_start(calls: list[Did], outcome: str, failed: bool | None) -> None:
    made = context(*calls)
    line = Injection(5, "2026-09-01T09:00:00.000Z", "SessionStart", "claude-code", "", "", "/srv/shop", DEPLOY.id,
                     "hint", "", "claude-x")  # fmt: skip
    (found,) = judged(msgspec.structs.replace(made, injections=[line]))
    assert (found.tool_use_id, found.outcome, found.failed) == ("line 5", outcome, failed)


def test_lines_of_unknown_kinds_and_other_lessons_are_passed_over() -> None:
    made = context(Did(WRONG, ERROR, "sung"))
    assert [each.decision for each in judged(made)] == ["none"]


@table(
    ("kinds", "kind", "weight", "failed"),
    [
        ((), "wrong-flag", 0.9, False),
        (("missing-tool",), "wrong-flag", 0.9, False),
        (("wrong-flag",), "wrong-flag", 0.1, False),
        (("wrong-flag",), "wrong-flag", 0.9, True),
        (("wrong-flag",), "telling-error", 0.9, True),  # without a fix its kind is unknown
    ],
)
def test_the_same_kind_of_mistake_in_other_words(
    kinds: tuple[str, ...], kind: str, weight: float, failed: bool
) -> None:
    (found,) = judged(context(Did("deploy --fast", "odd", "shadow", kind=kind, weight=weight)), kinds=kinds)
    assert found.failed is failed
    other = context(Did("ship --fast", "odd", kind=kind, weight=weight))
    assert judged(other, kinds=kinds) == [], "where nothing matches, only its own error"


BEFORE, AFTER = "PreToolUse", "PostToolUseFailure"


def recalled(
    event: str, *calls: Did, rests_on: tuple[str, ...] = ("then",), name: str = "memory-1"
) -> list[Opportunity]:
    """What came of a recall at the first call; `then` failed with the error that is remembered."""
    made = context(*calls)
    line = Injection(
        5, made.calls[0].time, event, "claude-code", "", "t0", "/srv/shop", "", "hint", "Bash", "", name, rests_on
    )

    def mistake(failed: Sequence[str]) -> Mistake:
        errors = {"then": fingerprint(f"Exit code 1\n{ERROR}")} | {
            call.tool_use_id: call.error_fingerprint for call in made.calls
        }
        return Mistake(frozenset(errors[call] for call in failed), Rule())

    judge = Judge([], {}, lambda call: [], mistake)
    return list(judge.opportunities(msgspec.structs.replace(made, injections=[line])))


@table(
    ("event", "calls", "outcome"),
    [
        # Nothing followed, or nothing that tells.
        (BEFORE, [Did(WRONG, ERROR)], "unknown"),
        (AFTER, [Did(WRONG, "odd words"), Did("ls")], "unknown"),
        (BEFORE, [Did(WRONG, "rejected"), Did(RIGHT)], "notDelivered"),
        # The text comes with the result of the call: only the next attempt can be better.
        (BEFORE, [Did(WRONG, ERROR), Did(RIGHT)], "heeded"),
        (BEFORE, [Did(WRONG, ERROR), Did(WRONG, ERROR)], "ignoredFailed"),
        (BEFORE, [Did(RIGHT)], "falseAlarm"),
        (BEFORE, [Did(RIGHT), Did("ls"), Did(WRONG, ERROR)], "ignoredFailed"),
        # Memory took the error for the remembered one, whatever its words.
        (AFTER, [Did(WRONG, "odd words"), Did(RIGHT)], "heeded"),
        (AFTER, [Did(WRONG, "odd words"), Did(WRONG, "odd words")], "ignoredFailed"),
        (AFTER, [Did(WRONG, "odd words"), Did(WRONG, ERROR)], "ignoredFailed"),
    ],
)
def test_recalls(event: str, calls: list[Did], outcome: str) -> None:
    (found,) = recalled(event, *calls)
    assert (found.lesson, found.slug, found.decision, found.outcome) == ("memory-1", RECALL, "hint", outcome)


def test_what_the_disk_says_rests_on_no_failure() -> None:
    """Every failure of some weight is then its mistake."""
    (found,) = recalled(BEFORE, Did(WRONG, "no file", weight=0.9), Did(RIGHT), rests_on=(), name="path t0")
    assert found.outcome == "heeded"
    (found,) = recalled(BEFORE, Did(WRONG, "2 failed", weight=0.1), Did(RIGHT), rests_on=(), name="path t0")
    assert found.outcome == "unknown"
