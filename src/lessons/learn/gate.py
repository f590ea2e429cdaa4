"""Tests an answer with the hook's own matcher on the whole history, and keeps of its trigger what passes."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple

import msgspec

from lessons.candidate import Wording
from lessons.config import Config
from lessons.errors import Refused
from lessons.learn import words
from lessons.learn.answer import Draft
from lessons.learn.sources import Source
from lessons.lesson_fields import BEFORE_A_CALL, has_any
from lessons.match.rule import Rule, conditions_hold
from lessons.match.state import AsWanted
from lessons.mistakes.group import most_common
from lessons.mistakes.trigger import Moment, error_trigger
from lessons.model import Lesson, Scope, Triggers, When
from lessons.plain import neutral
from lessons.promote import intake
from lessons.promote.backtest import compiled
from lessons.promote.intake import hidden_problems
from lessons.promote.matching import FAILED, asked, hits, verdict_on
from lessons.redact.texts import redacted
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall

MOST_GOOD_SHARE = 0.002  # of all good calls that a trigger may fire on before they run
MOST_ERROR_SHARE = 0.02  # of all errors that a trigger may fire on beside those of its calls; some may be the same
_FEW_ERRORS = 5  # that it may fire on in any history
MOST_EXAMPLES = 5
_MOST_PATTERNS, _LONGEST_PATTERN = 10, 500
_MOST_ERRORS = _MOST_LINES = 1_000
_LONGEST_EXAMPLE = 200
_CALLS_AFTER = 3
_OK = "ok"
_SURROUNDINGS = ("os", "shell", "agents", "models")

# A call that the trigger misses, that worked although the trigger fires on it, or that is another mistake.
Why = Literal["missed", "worked", "other mistake"]


class Counterexample(msgspec.Struct, rename="camel", frozen=True):
    why: Why
    tool_use_id: str
    command: str
    error: str


class Judged(NamedTuple):
    """The lesson as it may be stored; without one, the reasons against it."""

    wording: Wording | None
    acts: Moment
    reasons: list[str]
    counterexamples: list[Counterexample]
    disturbed: int = 0  # other calls on which it fires before they run: good ones, unless it is of a correction


class _Tried(NamedTuple):
    """The part of a trigger that passed, if any; what it fires on, and what is against it."""

    triggers: Triggers | None
    reasons: Sequence[str] = ()
    examples: Sequence[Counterexample] = ()
    disturbed: int = 0


class _Case(msgspec.Struct, frozen=True, dict=True):
    """The calls that an answer is tested with."""

    history: History
    source: Source
    calls: list[PastCall]

    @property
    def errors(self) -> list[str]:
        return [each.error for each in self.calls if each.error and each.outcome == FAILED]

    @property
    def names(self) -> set[str]:
        return {each.tool_use_id for each in self.calls}

    @cached_property
    def project(self) -> str:
        """The project of most of its calls; none if failures are of a folder that is gone, as work trees often are."""
        projects = [each.project for each in self.calls if each.project]
        found = most_common(projects) if projects else ""
        return found if self.source.kind != "failure" or os.path.isdir(found) else ""

    @cached_property
    def instead(self) -> set[str]:
        """The calls that worked instead; after a correction those that came next."""
        if self.source.kind == "failure":
            return set(self.source.fixes)
        if self.source.kind == "rule":  # its calls need not break it
            return set()
        found: set[str] = set()
        for thread in self.history.sessions.threads({each.session_id for each in self.calls}):
            for place in thread.own:
                if thread.steps[place].tool_use_id in self.names:
                    after = thread.steps[place + 1 : place + 1 + _CALLS_AFTER]
                    found |= {step.tool_use_id for step in after if step.outcome == _OK}
        return found


class Gate:
    """Tests one answer after the other on the same history."""

    def __init__(self, history: History, settings: Config) -> None:
        self._history, self._settings = history, settings

    @cached_property
    def _good_calls(self) -> int:
        return self._history.calls.count() - self._history.calls.count_failed()

    @cached_property
    def _errors(self) -> list[tuple[str, str]]:
        return [(row.tool_use_id, row.error) for row in self._history.calls.newest_failures(_MOST_ERRORS)]

    def judge(self, source: Source, draft: Draft, by: str) -> Judged:
        calls = self._history.calls.past(source.calls)
        case = _Case(self._history, source, calls)
        worked = self._history.calls.worked_with
        draft = words.without_foreign_paths(draft, {each.project for each in calls}, worked)
        if found := words.problems_of(draft, calls, worked):
            return Judged(None, "call", found, [])
        scope = Scope(type=draft.scope)
        if draft.scope == "project":
            scope = Scope(type="project", path=case.project) if case.project else Scope(type="global")
        triggers = _without_contradictions(draft.triggers, calls)
        at_call = self._at_call(case, triggers, scope)
        at_error = self._at_error(case, triggers, scope)
        if source.kind == "correction" and draft.triggers.session_start and not at_call.triggers:
            at_start = Triggers(session_start=True)
            return Judged(self._wording(case, draft, at_start, scope, by), "start", [], [])
        if not at_call.triggers and not at_error.triggers:
            reasons = [*at_call.reasons, *at_error.reasons] or ["triggers has no pattern: give one."]
            return Judged(None, "call", reasons, [*at_call.examples, *at_error.examples])
        both = _joined(at_call.triggers, at_error.triggers)
        wording = self._wording(case, draft, both, scope, by)
        wording = msgspec.structs.replace(wording, at_error=bool(at_call.reasons and not at_call.triggers))
        return Judged(wording, "call" if at_call.triggers else "error", [], [], at_call.disturbed)

    def _at_call(self, case: _Case, triggers: Triggers, scope: Scope) -> _Tried:
        part = msgspec.structs.replace(triggers, error_patterns=[], session_start=False)
        if not has_any(part, BEFORE_A_CALL):
            return _Tried(None)
        if isinstance(rule := _rule(part, scope), list):
            return _Tried(None, rule)
        missed = [each for each in case.calls if not verdict_on(rule, _before(each), AsWanted()).why]
        if len(missed) == len(case.calls) if case.source.kind == "rule" else 2 * len(missed) > len(case.calls):
            reason = f"Before the call it misses {len(missed)} of the {len(case.calls)} calls it is about."
            return _Tried(None, [reason], _examples("missed", missed))
        if case.source.kind != "failure":
            return self._as_rare(case, part, rule)
        if instead := self._fired_instead(case, rule):
            return _Tried(None, ["Before the call it fires on what worked instead."], _examples("worked", instead))
        most = int(MOST_GOOD_SHARE * self._good_calls)
        disturbed = (past for past in hits(self._history, rule, outcome=_OK) if not past.suspicious)
        good = list(islice(disturbed, most + MOST_EXAMPLES))
        if len(good) > most:
            reason = f"Before the call it fires on more than {most} of {self._good_calls:,} calls that worked."
            return _Tried(None, [reason], _examples("worked", good))
        return _Tried(part, disturbed=len(good))

    def _fired_instead(self, case: _Case, rule: Rule) -> list[PastCall]:
        """Returns the calls that worked instead on which it fires."""
        done = (past for past in self._history.calls.past(case.instead) if not past.suspicious)
        return [past for past in done if verdict_on(rule, past).why]

    def _as_rare(self, case: _Case, part: Triggers, rule: Rule) -> _Tried:
        """Without a failed call successes prove nothing: it spares what was done instead, and fires rarely."""
        if instead := self._fired_instead(case, rule):
            return _Tried(None, ["It fires on what was done after the correction."], _examples("worked", instead))
        most = max(int(self._settings.max_trigger_share * self._history.calls.count()), len(case.calls))
        fired = list(islice(hits(self._history, rule), most + MOST_EXAMPLES))
        if len(fired) > most:
            return _Tried(None, [f"It fires on more than {most:,} calls."], _examples("worked", fired))
        return _Tried(part, disturbed=sum(past.tool_use_id not in case.names for past in fired))

    def _at_error(self, case: _Case, triggers: Triggers, scope: Scope) -> _Tried:
        """Keeps what the answer gives, or else the line that the errors share, if it passes."""
        if case.source.kind != "failure":
            return _Tried(None)
        given = Triggers(
            error_patterns=triggers.error_patterns,
            tool_names=triggers.tool_names,
            unless=triggers.unless,
            when=_of_surroundings(triggers.when),  # the error itself shows the state
        )
        tried = self._error_part(case, given, scope) if triggers.error_patterns else _Tried(None)
        if tried.triggers or not case.errors:
            return tried
        shared = error_trigger(case.errors, [error for name, error in self._errors if name not in case.names])
        again = self._error_part(case, shared, scope) if shared else tried
        return again if again.triggers else tried

    def _error_part(self, case: _Case, part: Triggers, scope: Scope) -> _Tried:
        if isinstance(rule := _rule(part, scope), list):
            return _Tried(None, rule)
        missed = [each for each in case.calls if not verdict_on(rule, each, AsWanted()).why]
        if 2 * len(missed) > len(case.calls):
            reason = f"At the error it misses {len(missed)} of the {len(case.calls)} calls it is about."
            return _Tried(None, [reason], _examples("missed", missed))
        most = max(_FEW_ERRORS, int(MOST_ERROR_SHARE * self._history.calls.count_failed()))
        others = (past for past in hits(self._history, rule, outcome=FAILED) if past.tool_use_id not in case.names)
        fired = list(islice(others, most + 1))
        if len(fired) > most:
            reason = f"At the error it fires on more than {most} other errors: name what is special."
            return _Tried(None, [reason], _examples("other mistake", fired))
        return _Tried(part)

    def _wording(self, case: _Case, draft: Draft, triggers: Triggers, scope: Scope, by: str) -> Wording:
        fixes = self._history.calls.named(case.source.fixes)
        lines = [each.command or each.arguments for each in fixes] + case.errors

        def worked(program: str) -> list[str]:
            rows = self._history.calls.successes_with_any_subcommand(program, _MOST_LINES) if program else []
            return [row.command for row in rows]

        document = triggers_document(triggers)
        texts = (draft.summary, draft.problem, draft.solution, str(document))
        return Wording(
            by=by,
            time=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
            worth_a_lesson=True,
            summary=draft.summary,
            problem=draft.problem,
            solution=draft.solution,
            triggers=document,
            scope=scope,
            cited_tool_use_ids=case.source.calls,
            quoted_in=words.quoted_in(texts, [*case.calls, *fixes]),
            unproven=words.unproven_code(draft.solution, lines, worked),
        )


def triggers_document(triggers: Triggers) -> dict[str, object]:
    """Returns the keys that say something."""
    document: dict[str, object] = msgspec.to_builtins(triggers)
    return {key: value for key, value in document.items() if value}


def _joined(at_call: Triggers | None, at_error: Triggers | None) -> Triggers:
    if at_call is None or at_error is None:
        return at_call or at_error or Triggers()
    return msgspec.structs.replace(at_call, error_patterns=at_error.error_patterns)


def _rule(part: Triggers, scope: Scope) -> Rule | list[str]:
    """Returns the rule as the hook would have it, or one sentence for each reason why it cannot be used."""
    lesson = Lesson(id="learned", slug="learned", summary="", problem="", solution="", triggers=part)
    texts = [text for each in msgspec.to_builtins(part).values() if isinstance(each, list) for text in each]
    found = [sentence for sentence in intake.check(lesson).problems if sentence.startswith("triggers")]
    found += hidden_problems({"triggers": texts})
    if len(texts) > _MOST_PATTERNS or any(len(text) > _LONGEST_PATTERN for text in texts):
        found.append(f"triggers: give at most {_MOST_PATTERNS} patterns of {_LONGEST_PATTERN} characters.")
    elif any(redacted(text) != text for text in texts):
        found.append("triggers has something that looks like a secret: leave it out.")
    if found:
        return found
    try:
        made = compiled(part, scope)
    except Refused as refused:
        return [str(refused)]
    return made.left_out or made.rule


def _without_contradictions(triggers: Triggers, calls: Sequence[PastCall]) -> Triggers:
    """Drops conditions on the surroundings that did not hold where the calls failed: on this machine, in this shell."""
    if triggers.when is None:
        return triggers
    known: dict[str, list[str]] = {name: getattr(triggers.when, name) for name in When.__struct_fields__}
    tried = [asked(each) for each in calls]
    for name in _SURROUNDINGS:
        if known[name] and not any(conditions_hold({name: known[name]}, call) for call in tried):
            known[name] = []
    return msgspec.structs.replace(triggers, when=When(**known) if any(known.values()) else None)


def _of_surroundings(when: When | None) -> When | None:
    known: dict[str, list[str]] = {name: getattr(when, name, []) for name in _SURROUNDINGS}
    return When(**known) if any(known.values()) else None


def _before(past: PastCall) -> PastCall:
    return msgspec.structs.replace(past, error="")


def _examples(why: Why, calls: Sequence[PastCall]) -> list[Counterexample]:
    return [
        Counterexample(why, each.tool_use_id, _short(each.command or each.arguments), _short(each.error))
        for each in {each.tool_use_id: each for each in calls[: 2 * MOST_EXAMPLES]}.values()
    ][:MOST_EXAMPLES]


def _short(text: str) -> str:
    line = " ".join(neutral(redacted(text[: 4 * _LONGEST_EXAMPLE])).split())
    return line if len(line) <= _LONGEST_EXAMPLE else line[: _LONGEST_EXAMPLE - 1] + "…"
