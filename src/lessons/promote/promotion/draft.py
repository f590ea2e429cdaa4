"""Drafts the lesson of a candidate, with problems, objections, warnings and its back-test."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from lessons.candidate import FAILURE
from lessons.config import Config
from lessons.errors import LessonsError, Refused
from lessons.lesson_fields import BEFORE_A_CALL, FIRING, attribute_of, has_any
from lessons.mistakes.error_trigger import error_trigger
from lessons.model import (
    LONGEST_SUMMARY,
    REVIEW_BELOW_CONFIDENCE,
    SHORTEST_TEXT,
    Lesson,
    Scope,
    Triggers,
    lesson_from_document,
)
from lessons.promote import catalog
from lessons.promote.backtest import guard
from lessons.promote.backtest.backtest import Report, backtest
from lessons.promote.backtest.guard import Effect, Stage
from lessons.promote.backtest.rule import compiled
from lessons.promote.intake import intake
from lessons.promote.intake.bare_words import bare_word_warnings
from lessons.promote.intake.rivals import Rivals
from lessons.promote.promotion.evidence import Calls, calls_of, examples_of, sessions_of, tags_of
from lessons.promote.promotion.text import LONGEST_REASON, LONGEST_TEXT, one_line, plain
from lessons.promote.queue.candidate import Candidate
from lessons.store.fault_boundary import analysed, sentence
from lessons.store.history.history import History

Value = TypeVar("Value")

_UNREAD = "nobody has read it yet, so it starts in shadow: read it, then `lessons edit SLUG --stage active`."
_WORDED = "worded by {}, so it starts in shadow: watch it, then `lessons edit SLUG --stage active` turns it on."
_UNREAD_AT_EVERY_START = (
    "It has no trigger, and nothing is shown at every session start unread: "
    "give one, such as --command-pattern or --error-pattern, or decide in `lessons review`."
)


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What the user chose for a candidate; None: as the candidate proposes."""

    effect: Effect = "hint"
    stage: Stage = "active"
    force: bool = False
    seen: bool = True  # False: nobody has read the lesson, as with --yes, which may be an agent's
    summary: str | None = None
    problem: str | None = None
    solution: str | None = None
    block_reason: str | None = None
    triggers: Triggers | None = None
    session_start: bool = False
    scope: Scope | None = None
    priority: int | None = None
    tags: list[str] | None = None
    fields: dict[str, object] = {}  # of the record, without a proposal by the candidate

    @property
    def has_words(self) -> bool:
        """Whether the agent would read text that is not the candidate's own, or read it at every session start."""
        return self.session_start or any((self.summary, self.problem, self.solution, self.block_reason))

    def text(self, name: str) -> str | None:
        """Returns the text chosen for a field, if any."""
        attribute = attribute_of(name)
        chosen = getattr(self, attribute) if attribute in self.__struct_fields__ else self.fields.get(name)
        return None if chosen is None else str(chosen)

    def with_text(self, name: str, text: str) -> "Choice":
        if (attribute := attribute_of(name)) in self.__struct_fields__:
            return msgspec.structs.replace(self, **{attribute: text})
        return msgspec.structs.replace(self, fields={**self.fields, name: text})


class Tested(NamedTuple):
    """The back-test of a lesson (None: it fires at no call), and a sentence if it fires on too many calls."""

    report: Report | None
    too_broad: list[str]


def tested(history: History, settings: Config, lesson: Lesson, failed: Sequence[str]) -> Tested:
    """`failed` are the calls that the lesson was made for."""
    report = report_of(history, lesson, failed)
    most = settings.max_trigger_share
    return Tested(report, guard.too_broad(report, history.calls.count(guard.calls_to_count(report, most)), most))


class Draft(msgspec.Struct):
    """A lesson that is not stored yet."""

    document: dict[str, object]  # as accepted by `catalog.add`
    problems: list[str]  # why it would be refused
    objections: list[str]  # of the back-test; only these can be overridden
    warnings: list[str]
    report: Report | None  # None: it fires at no call, or cannot be tested


def draft(
    history: History,
    settings: Config,
    candidate: Candidate,
    choice: Choice,
    known: Rivals | list[Lesson],
    others: Sequence[Candidate] = (),
    test: Callable[[History, Config, Lesson, Sequence[str]], Tested] = tested,
) -> Draft:
    """Returns the draft; stores nothing. `others` are near duplicates whose evidence is included."""
    if candidate.fault:
        return _without(candidate.fault)
    return analysed(
        history.home,
        candidate.fingerprint,
        lambda: _draft(history, settings, candidate, choice, known, others, test),
        _without,
    )


def _without(fault: str) -> Draft:
    return Draft({}, [f"This candidate {sentence(fault)}."], [], [], None)


def _draft(
    history: History,
    settings: Config,
    candidate: Candidate,
    choice: Choice,
    known: Rivals | list[Lesson],
    others: Sequence[Candidate],
    test: Callable[[History, Config, Lesson, Sequence[str]], Tested],
) -> Draft:
    if not choice.seen and not _has_trigger(candidate, choice):
        return Draft({}, [_UNREAD_AT_EVERY_START], [], [], None)
    together = [candidate, *others]
    calls = calls_of(history, together)
    document = _document(together, choice, calls)
    try:
        taken = known.names if isinstance(known, Rivals) else {lesson.slug for lesson in known}
        record = intake.normalise(document, taken)
        found = catalog.check_new(record, known)
        lesson = lesson_from_document(record)
    except LessonsError as refused:
        return Draft(document, [str(refused)], [], [], None)
    try:
        failed = [each.tool_use_id for one in together for each in one.evidence if each.tool_use_id]
        report, share = test(history, settings, lesson, failed)
        left_out = compiled(lesson.triggers, lesson.scope).left_out if fires_at_calls(lesson) else []
    except Refused as refused:
        report, share, left_out = None, [], [str(refused)]
    late = guard.acts_too_late(choice.effect, lesson.triggers)
    too_late = [f"{late} Leave it a hint, or add a pattern for the command."] if late else []
    problems = [*found.problems, *(left_out if not found.problems else []), *share, *too_late]
    against = guard.objections(choice.effect, report)
    stage = stage_of(candidate, choice)
    unread = [_started_in_shadow(candidate)] if stage != choice.stage else []
    warnings = [
        *unread,
        *found.warnings,
        *bare_word_warnings(document),
        *guard.warnings(choice.effect, stage, report, lesson.tags),
    ]
    return Draft(document, problems, against, warnings, report)


def stage_of(candidate: Candidate, choice: Choice) -> Stage:
    """Failed calls are evidence by themselves; a text that somebody wrote acts only after a person has read it.

    A text that an agent wrote when asked starts in shadow, whoever has read it.
    """
    if candidate.worded and candidate.worded.worth_a_lesson:
        return "shadow"
    is_written = candidate.tier != FAILURE or choice.has_words
    return "shadow" if not choice.seen and is_written else choice.stage


def _started_in_shadow(candidate: Candidate) -> str:
    if candidate.worded and candidate.worded.worth_a_lesson:
        return _WORDED.format(candidate.worded.by)
    return _UNREAD


def _has_trigger(candidate: Candidate, choice: Choice) -> bool:
    return choice.triggers is not None or choice.session_start or bool(candidate.proposed_trigger)


def error_choice(history: History, candidate: Candidate) -> Triggers | None:
    """Returns a trigger on the common error, for a candidate whose calls have nothing in common."""
    name = candidate.fingerprint
    return analysed(history.home, name, lambda: _error_choice(history, candidate), lambda fault: None)


def _error_choice(history: History, candidate: Candidate) -> Triggers | None:
    errors = [call.error for call in calls_of(history, [candidate]).failed if call.error]
    return error_trigger(errors) if errors else None


def triggers_for(candidate: Candidate, choice: Choice) -> Triggers:
    """Returns what was chosen, else what is proposed, else a note at the start of a session."""
    if choice.triggers is not None:
        return msgspec.structs.replace(
            choice.triggers, session_start=choice.session_start or choice.triggers.session_start
        )
    if choice.session_start or not candidate.proposed_trigger:
        return Triggers(session_start=True)
    return msgspec.convert(candidate.proposed_trigger, Triggers)


def _document(together: Sequence[Candidate], choice: Choice, calls: Calls) -> dict[str, object]:
    candidate = together[0]
    triggers: dict[str, object] = msgspec.to_builtins(triggers_for(candidate, choice))
    problem = plain(_or(choice.problem, candidate.problem), LONGEST_TEXT)
    solution = plain(_or(choice.solution, candidate.solution), LONGEST_TEXT)
    document: dict[str, object] = {
        "summary": _summary(choice, candidate, problem),
        "problem": problem,
        "solution": solution,
        "triggers": {key: value for key, value in triggers.items() if value},
        "scope": msgspec.to_builtins(choice.scope or candidate.scope),
        "priority": _or(choice.priority, candidate.priority),
        "confidence": max(REVIEW_BELOW_CONFIDENCE, candidate.confidence),
        "needsReview": False,
        "tags": tags_of(together, calls) if choice.tags is None else choice.tags,
        "sourceSessionIds": sessions_of(together),
        "occurrenceCount": sum(each.occurrence_count for each in together),
        **({"stage": "shadow"} if stage_of(candidate, choice) == "shadow" else {}),
        **_effect(choice, solution),
        **choice.fields,
    }
    examples = _examples(document, calls)
    return {**document, "examples": examples} if examples else document


def _effect(choice: Choice, solution: str) -> dict[str, object]:
    if choice.effect == "block":
        return {"block": True, "blockReason": plain(_or(choice.block_reason, solution), LONGEST_REASON)}
    reason: dict[str, object] = {"blockReason": choice.block_reason} if choice.block_reason else {}
    return {**reason, "stopOnce": True} if choice.effect == "stopOnce" else reason


def _examples(document: dict[str, object], calls: Calls) -> object:
    try:
        return examples_of(document, calls)
    except (LessonsError, ValueError):  # an unusable trigger has no examples; intake reports it
        return None


def _summary(choice: Choice, candidate: Candidate, problem: str) -> str:
    if choice.summary is not None:
        return " ".join(plain(choice.summary, 4 * LONGEST_SUMMARY).split())
    summary = one_line(candidate.summary, LONGEST_SUMMARY)
    return summary if len(summary) >= SHORTEST_TEXT else one_line(problem, LONGEST_SUMMARY)


def report_of(history: History, lesson: Lesson, failed: Sequence[str] = ()) -> Report | None:
    """Returns the back-test; None for a lesson that cannot fire at a call. `failed` are the calls it was made for.

    For a lesson that fires before a call only that counts: at an error it is always right. Its precision leaves out
    only the sessions that the lesson names as its own.
    """
    if not fires_at_calls(lesson):
        return None
    return backtest(
        history,
        tried_triggers(lesson),
        scope=lesson.scope,
        source_sessions=lesson.source_session_ids,
        error_fingerprints=history.calls.error_fingerprints(failed),
        failed_calls=failed,
        block_or_stop=lesson.block or lesson.stop_once,
    )


def fires_at_calls(lesson: Lesson) -> bool:
    return has_any(lesson.triggers, FIRING) or bool(lesson.triggers.tool_names)


def tried_triggers(lesson: Lesson) -> Triggers:
    """Returns those that are back-tested."""
    is_early = has_any(lesson.triggers, BEFORE_A_CALL)
    return msgspec.structs.replace(lesson.triggers, error_patterns=[]) if is_early else lesson.triggers


def _or(chosen: Value | None, proposed: Value) -> Value:
    return proposed if chosen is None else chosen
