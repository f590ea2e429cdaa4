"""Probation of learned lessons: two good calls cost a lesson its trigger at the call; that at the error stays."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from lessons.candidate import LEARNED, Wording
from lessons.errors import LessonsError
from lessons.lesson_fields import BEFORE_A_CALL, has_any
from lessons.match.rule import Rule
from lessons.model import Lesson
from lessons.promote import decide
from lessons.promote.backtest import compiled
from lessons.promote.draft import Calls, examples_of
from lessons.promote.matching import FAILED, RecordedState, verdict_on
from lessons.promote.trigger_rules import anchored
from lessons.store import decisions, lesson_file, logs
from lessons.store.decisions import Decision
from lessons.store.history.history import History
from lessons.store.lesson_file import merged

STEP = "probation"
_FEWEST_GOOD_CALLS = 2
_GOOD = "ok"
_DAYS_SHOWN = 30
_STATE = ("absent", "present", "missing", "dirty", "folder")  # conditions that only a call can be tested for


def end_probation(history: History) -> None:
    """Runs after a scan, once the ledger is up to date. Records a fault in here and does not stop the scan."""
    for lesson, wording in list(_on_probation(history)):
        try:
            rule = compiled(lesson.triggers, lesson.scope).rule
            # The test counted good calls of its time: what is more was read since.
            good = _good_calls(history, lesson, rule) - wording.disturbed
            if good >= _FEWEST_GOOD_CALLS and _is_of_failure(history, wording):
                decide.take_step(history.home, lesson.id, STEP, *_change(history, lesson, wording, good))
        except LessonsError as fault:
            logs.record_fault_once(history.home, STEP, logs.describe_fault(fault))


def ended(home: str) -> list[Decision]:
    """Returns the lessons that lost their trigger in the last month, unless that was undone."""
    since = f"{datetime.now(UTC) - timedelta(days=_DAYS_SHOWN):%Y-%m-%dT%H:%M:%SZ}"
    return [each for each in decisions.standing(decisions.read(home)) if each.step == STEP and each.time >= since]


def _on_probation(history: History) -> Iterator[tuple[Lesson, Wording]]:
    """Yields learned hints that act before a call, with their text as it was tested.

    A person owns what they changed: a trigger that was edited, a stop or a block, a step that was undone.
    """
    tested: dict[str, Wording] = {}
    for answer in history.answers.all().values():
        tested |= {each.slug: each for each in answer.lessons if each.summary}
    if not tested:
        return
    judged = {each.lesson for each in decisions.read(history.home) if each.step == STEP}
    for lesson in lesson_file.read(history.home).lessons():
        wording = tested.get(lesson.slug)
        if wording is None or LEARNED not in lesson.tags or lesson.id in judged or lesson.stage == "retired":
            continue
        is_hint = has_any(lesson.triggers, BEFORE_A_CALL) and not (lesson.block or lesson.stop_once)
        if is_hint and lesson.triggers.command_patterns == _command_patterns(wording):
            yield lesson, wording


def _command_patterns(wording: Wording) -> object:
    triggers = anchored({"triggers": wording.triggers})["triggers"]
    return triggers.get("commandPatterns", []) if isinstance(triggers, dict) else []


def _good_calls(history: History, lesson: Lesson, rule: Rule) -> int:
    """Counts the calls that worked on which it fires before they run."""
    state = RecordedState(history)
    sessions = {each.session for each in history.ledger.opportunities(lesson.id)}
    calls = (call for context in history.ledger.contexts(sessions) for call in context.calls)
    good = (call for call in calls if call.outcome == _GOOD and not call.suspicious)
    return sum(verdict_on(rule, call, state(call)).why is not None for call in good)


def _is_of_failure(history: History, wording: Wording) -> bool:
    """Whether it was learned from failed calls: after a correction good calls prove nothing."""
    return any(call.outcome == FAILED for call in history.calls.past(wording.cited_tool_use_ids))


def _change(history: History, lesson: Lesson, wording: Wording, good: int) -> tuple[dict[str, object], str]:
    """Without a trigger at the error there is nothing left to act on: it is only watched then."""
    fired = f"It fired on {good} calls that worked"
    if not lesson.triggers.error_patterns:
        return {"stage": "shadow"}, f"{fired}: it is in shadow now."
    triggers: dict[str, object] = dict.fromkeys([*(field.name for field in BEFORE_A_CALL), "matchOn"])
    if lesson.triggers.when:
        triggers["when"] = dict.fromkeys(_STATE)  # the error itself shows the state
    after = merged(lesson_file.read(history.home).find(lesson.id), {"triggers": triggers})
    failed = history.calls.named(wording.cited_tool_use_ids)
    changes: dict[str, object] = {"triggers": triggers, "examples": examples_of(after, Calls(failed, []))}
    return changes, f"{fired}: it now acts only at the error."
