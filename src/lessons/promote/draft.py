"""Drafts the lesson of a candidate: its texts, evidence, problems, objections, warnings and back-test."""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

import msgspec

from lessons import config, paths
from lessons.candidate import FAILURE, IMPORT, LEARNED, REPORT, REVIEW, CandidateKind
from lessons.config import Config
from lessons.errors import LessonsError, Refused
from lessons.lesson_fields import BEFORE_A_CALL, FIRING, attribute_of, has_any
from lessons.match.call import canonical_name
from lessons.match.rule import Rule
from lessons.mistakes.good_calls import arguments_of
from lessons.model import (
    LONGEST_SUMMARY,
    MOST_SOURCE_SESSIONS,
    REVIEW_BELOW_CONFIDENCE,
    SHORTEST_TEXT,
    Lesson,
    Scope,
    Triggers,
    document_from_triggers,
    lesson_from_document,
)
from lessons.promote import backtest_report, intake
from lessons.promote.backtest import Report, backtest, compiled
from lessons.promote.backtest_report import Effect, Stage
from lessons.promote.candidate import Candidate
from lessons.promote.publish import examples
from lessons.promote.trigger_rules import bare_word_warnings
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall
from lessons.store.logs import analysed, not_analysed

LONGEST_TEXT = 1200
LONGEST_REASON = 600
# Joiners that letters of some scripts need; everything else invisible is removed.
_JOINERS = "\u200c\u200d"
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def plain(text: str, longest: int = LONGEST_TEXT) -> str:
    """Returns the text without control and invisible characters, cut at a word if it is too long."""
    # Much longer than the result: a text that is cut first need not be scanned completely.
    return _shortened("".join(map(_visible, text[: 4 * longest])).strip(), longest)


def one_line(text: str, longest: int) -> str:
    """Returns the same on one line, without the sign that something was cut off."""
    line = " ".join(plain(text, 4 * longest).split())
    return _shortened(line, longest).rstrip(" …").removesuffix("...").rstrip()


def _shortened(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    cut = text[: longest + 1]
    end = max(cut.rfind(" "), cut.rfind("\n"))
    return (cut[:end] if end > longest // 2 else cut[:longest]).rstrip()


def _visible(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind == "Zs":
        return " "  # of any width
    if letter in "\n\t" or letter in _JOINERS or kind not in _INVISIBLE:
        return letter
    return "\n" if letter in "\u2028\u2029\x85" else ""


MOST_EXAMPLES = 3
_LONGEST_EXAMPLE = 300
_TAG = re.compile(r"[a-z][a-z0-9_-]{0,30}:[^\s:,]{1,60}")
_MOST_TAGS = 8
_NO_TOPIC: tuple[CandidateKind, ...] = ("tag", "correction", IMPORT, REVIEW, REPORT)

Example = str | dict[str, str]


class Calls(msgspec.Struct, frozen=True):
    failed: list[StoredCall]
    fixed: list[StoredCall]


def calls_of(history: History, candidates: Sequence[Candidate]) -> Calls:
    evidence = [each for candidate in candidates for each in candidate.evidence]
    failed = history.calls.named(each.tool_use_id for each in evidence if each.tool_use_id)
    fixed = history.calls.named(each.fix_tool_use_id for each in evidence if each.fix_tool_use_id)
    return Calls(failed, fixed)


def examples_of(document: dict[str, object], calls: Calls) -> dict[str, list[Example]] | None:
    """Returns up to three calls that it fires on and three that it does not, each checked."""
    if not calls.failed:
        return None
    rule = examples.rule_of_record(document)
    triggers = document.get("triggers")
    names = triggers if isinstance(triggers, dict) else {}
    is_at_error = "errorPatterns" in names and not any(field.name in names for field in BEFORE_A_CALL)
    fires = _chosen(rule, calls.failed, True, is_at_error)
    # A lesson that fires on nothing needs no quiet examples either.
    return {"fires": fires, "quiet": _chosen(rule, calls.fixed, False)} if fires else None


def _chosen(rule: Rule, calls: Iterable[StoredCall], fires: bool, with_error: bool = False) -> list[Example]:
    chosen: list[Example] = []
    for call in calls:
        example = _example(call, with_error)
        if example and example not in chosen and examples.fires_on(rule, example) == fires:
            chosen.append(example)
        if len(chosen) == MOST_EXAMPLES:
            break
    return chosen


def _example(call: StoredCall, with_error: bool) -> Example | None:
    """Returns the call as an example; None if it is too long or nothing would be left of it."""
    arguments = arguments_of(call)
    path = arguments.get("file_path") if isinstance(arguments, dict) else None
    parts = {"tool": call.tool, "command": call.command, "path": path if isinstance(path, str) else ""}
    if with_error:
        parts["error"] = plain(call.error, _LONGEST_EXAMPLE)
    given = {name: value for name, value in parts.items() if value}
    if any(len(value) > _LONGEST_EXAMPLE or plain(value) != value.strip() for value in given.values()):
        return None
    if len(given) < 2:
        return None
    return call.command if canonical_name(call.tool) == "Bash" and not with_error else given


def tags_of(candidates: Sequence[Candidate]) -> list[str]:
    """Returns the candidates' own tags, and the kind of mistake."""
    found = [tag for candidate in candidates for tag in candidate.tags]
    if (kind := candidates[0].kind) not in _NO_TOPIC:
        found.append(f"topic:{kind}")
    return [tag for tag in dict.fromkeys(found) if _TAG.fullmatch(tag)][:_MOST_TAGS]


def added_evidence(
    record: dict[str, object], names: Iterable[str], candidate: Candidate, calls: Calls
) -> dict[str, object]:
    """Returns the evidence of a lesson, which names these candidates, together with that of another one."""
    sessions, count = record.get("sourceSessionIds"), record.get("occurrenceCount")
    more = [*(sessions if isinstance(sessions, list) else []), *candidate.source_session_ids]
    changes: dict[str, object] = {
        "sourceSessionIds": list(dict.fromkeys(more))[:MOST_SOURCE_SESSIONS],
        "occurrenceCount": (count if isinstance(count, int) else 0) + candidate.occurrence_count,
        "fingerprints": list(dict.fromkeys([*names, candidate.fingerprint])),
    }
    known = record.get("examples")
    before = known if isinstance(known, dict) else {}
    for side, new in (examples_of(record, calls) or {}).items():
        old = before.get(side)
        kept: list[object] = list(old) if isinstance(old, list) else []
        fresh: list[object] = [example for example in new if example not in kept]
        before = {**before, side: kept + fresh[: max(0, MOST_EXAMPLES - len(kept))]}
        changes["examples"] = before
    return changes


Value = TypeVar("Value")

_UNREAD = "nobody has read it yet, so it starts in shadow: read it, then `lessons edit SLUG --stage active`."
_UNREAD_AT_EVERY_START = (
    "It has no trigger, and nothing is shown at every session start unread: "
    "give one, such as --command-pattern or --error-pattern, or decide in `lessons review`."
)


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """None: as the candidate proposes."""

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
    return Tested(report, backtest_report.too_broad(report, history.calls.count(), settings.max_trigger_share))


Test = Callable[[History, Config, Lesson, Sequence[str]], Tested]


class Draft(msgspec.Struct):
    document: dict[str, object]  # as accepted by `catalog.add`
    problems: list[str]  # why it would be refused
    objections: list[str]  # of the back-test; only these can be overridden
    warnings: list[str]
    report: Report | None  # None: it fires at no call, or cannot be tested


def make_draft(
    history: History,
    settings: Config,
    candidate: Candidate,
    choice: Choice,
    known: list[Lesson],
    others: Sequence[Candidate] = (),
    test: Test = tested,
) -> Draft:
    """Returns the draft; stores nothing. `others` are near duplicates whose evidence is included."""

    def without(fault: str) -> Draft:
        return Draft({}, [f"This candidate {not_analysed(fault)}."], [], [], None)

    if candidate.fault:
        return without(candidate.fault)
    if not choice.seen and not (choice.triggers or choice.session_start or candidate.proposed_trigger):
        return Draft({}, [_UNREAD_AT_EVERY_START], [], [], None)
    together = [candidate, *others]
    return analysed(
        history.home, candidate.fingerprint, lambda: _drafted(history, settings, together, choice, known, test), without
    )


def _drafted(
    history: History, settings: Config, together: Sequence[Candidate], choice: Choice, known: list[Lesson], test: Test
) -> Draft:
    document = document_of(together, choice, calls_of(history, together))
    try:
        record = intake.normalise(document, {lesson.slug for lesson in known})
        typed = [name for name in intake.TEXTS if choice.text(name) is not None]
        found = intake.check_new(record, known, typed)
        lesson = lesson_from_document(record)
    except LessonsError as refused:
        return Draft(document, [str(refused)], [], [], None)
    try:
        failed = [each.tool_use_id for one in together for each in one.evidence if each.tool_use_id]
        report, too_broad = test(history, settings, lesson, failed)
        left_out = compiled(lesson.triggers, lesson.scope).left_out if fires_at_calls(lesson) else []
    except Refused as refused:
        report, too_broad, left_out = None, [], [str(refused)]
    late = backtest_report.acts_too_late(choice.effect, lesson.triggers)
    stage = stage_of(together[0], choice)
    return Draft(
        document,
        problems=[
            *found.problems,
            *(left_out if not found.problems else []),
            *too_broad,
            *([f"{late} Leave it a hint, or add a pattern for the command."] if late else []),
        ],
        objections=backtest_report.objections(choice.effect, report),
        warnings=[
            *([_UNREAD] if stage != choice.stage else []),
            *found.warnings,
            *bare_word_warnings(document),
            *backtest_report.warnings(choice.effect, stage, report, lesson.tags),
        ],
        report=report,
    )


def stage_of(candidate: Candidate, choice: Choice) -> Stage:
    """Failed calls are evidence by themselves; a text that somebody wrote acts only after a person has read it."""
    is_learned = candidate.worded is not None and candidate.worded.worth_a_lesson
    is_written = candidate.tier != FAILURE or choice.has_words or is_learned
    return "shadow" if not choice.seen and is_written else choice.stage


def error_choice(history: History, candidate: Candidate) -> Triggers | None:
    """Returns a trigger on the common error, for a candidate whose calls have nothing in common."""
    from lessons.mistakes.trigger import error_trigger  # its patterns take a while to load

    def shared() -> Triggers | None:
        errors = [call.error for call in calls_of(history, [candidate]).failed if call.error]
        return error_trigger(errors) if errors else None

    return analysed(history.home, candidate.fingerprint, shared, lambda fault: None)


def triggers_for(candidate: Candidate, choice: Choice) -> Triggers:
    """Returns what was chosen, else what is proposed, else a note at the start of a session."""
    if choice.triggers is not None:
        return msgspec.structs.replace(
            choice.triggers, session_start=choice.session_start or choice.triggers.session_start
        )
    if choice.session_start or not candidate.proposed_trigger:
        return Triggers(session_start=True)
    return msgspec.convert(candidate.proposed_trigger, Triggers)


def document_of(together: Sequence[Candidate], choice: Choice, calls: Calls) -> dict[str, object]:
    """Returns the record of the lesson, as accepted by `catalog.add`."""
    candidate, worded = together[0], together[0].worded
    problem = plain(_or(choice.problem, candidate.problem))
    solution = plain(_or(choice.solution, candidate.solution))
    if choice.summary is not None:
        summary = " ".join(plain(choice.summary, 4 * LONGEST_SUMMARY).split())
    elif len(summary := one_line(candidate.summary, LONGEST_SUMMARY)) < SHORTEST_TEXT:
        summary = one_line(problem, LONGEST_SUMMARY)
    learned = [LEARNED] if worded and worded.worth_a_lesson else []
    sessions = (session for each in together for session in each.source_session_ids)
    document: dict[str, object] = {
        "summary": summary,
        "problem": problem,
        "solution": solution,
        "triggers": document_from_triggers(triggers_for(candidate, choice)),
        "scope": msgspec.to_builtins(choice.scope or candidate.scope),
        "priority": _or(choice.priority, candidate.priority),
        "confidence": max(REVIEW_BELOW_CONFIDENCE, candidate.confidence),
        "needsReview": False,
        "tags": [*tags_of(together), *learned] if choice.tags is None else choice.tags,
        "sourceSessionIds": list(dict.fromkeys(sessions))[:MOST_SOURCE_SESSIONS],
        "occurrenceCount": sum(each.occurrence_count for each in together),
        "fingerprints": [each.fingerprint for each in together],
    }
    if stage_of(candidate, choice) == "shadow":
        document["stage"] = "shadow"
    if worded and worded.slug:
        document["slug"] = worded.slug
    if choice.effect == "block":
        reason = _or(choice.block_reason, str(candidate.kept.get("blockReason", solution)))
        document |= {"block": True, "blockReason": plain(reason, LONGEST_REASON)}
    elif choice.block_reason:
        document["blockReason"] = choice.block_reason
    if choice.effect == "stopOnce":
        document["stopOnce"] = True
    chosen = ("blockReason", *(["priority"] if choice.priority is not None else []))
    document |= {name: value for name, value in candidate.kept.items() if name not in chosen} | choice.fields
    with suppress(LessonsError, ValueError):  # an unusable trigger has no examples; intake reports it
        if found := examples_of(document, calls):
            document["examples"] = found
    return document


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


def tried_triggers(lesson: Lesson) -> Triggers:
    is_early = has_any(lesson.triggers, BEFORE_A_CALL)
    return msgspec.structs.replace(lesson.triggers, error_patterns=[]) if is_early else lesson.triggers


def fires_at_calls(lesson: Lesson) -> bool:
    return has_any(lesson.triggers, FIRING) or bool(lesson.triggers.tool_names)


def _or(chosen: Value | None, proposed: Value) -> Value:
    return proposed if chosen is None else chosen


def warnings_from_history(home: str, record: dict[str, object]) -> list[str]:
    """Returns one sentence per problem; nothing without a usable history."""
    if not os.path.exists(paths.history_file(home)):
        return []
    lesson = lesson_from_document(record)
    effect: Effect = "block" if lesson.block else "stopOnce" if lesson.stop_once else "hint"
    with suppress(LessonsError), History.for_reading(home) as history:
        report, too_broad = tested(history, config.load(home), lesson, ())
        return [*too_broad, *(backtest_report.objections(effect, report) if report else [])]
    return []
