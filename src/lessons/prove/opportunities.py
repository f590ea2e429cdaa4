"""The calls at which a lesson could act, and the mistake that each lesson is about."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import cast

import msgspec

from lessons.candidate import Occurrence, StoredCandidate
from lessons.match.call import canonical_name
from lessons.match.rule import Rule, applies
from lessons.match.time_limit import occurs
from lessons.mistakes.failed_call import ENOUGH
from lessons.model import Lesson, lesson_from_document
from lessons.opportunity import RECALL, Decision, Opportunity
from lessons.promote.backtest import own_rule
from lessons.promote.catalog import listed
from lessons.promote.joined import candidates_of_lessons
from lessons.promote.matching import asked
from lessons.prove.judge import Attempt, Case, judge
from lessons.shell.describe import hides_errors
from lessons.store.history.history import History
from lessons.store.history.ledger import ContextCall, Injection, LoggedContext


def lessons_of(home: str) -> list[Lesson]:
    """Returns your own lessons and those of trusted projects, in any stage; the first of two with one id."""
    found = [lesson_from_document(record) for record in listed(home, ("shadow", "active", "retired")).records]
    return list({each.id: each for each in reversed(found)}.values())[::-1]


def rules_of(lessons: Iterable[Lesson]) -> dict[str, Rule]:
    """Returns rules by lesson id, also of retired lessons: what they did before counts."""
    return {each.id: own_rule(each) or Rule() for each in lessons}


_WITHOUT_FIX = "telling-error"


class Mistake(msgspec.Struct, frozen=True):
    """What is known about the mistake of a lesson: the errors that it was learned from, and those that it names.

    Another program may word the same mistake differently: at a call that the lesson matches, an error of the same kind
    counts too. For a hand-written lesson nothing may be known: then every failed call that it matches made its mistake,
    unless the error is part of normal work, such as a failing test.
    """

    fingerprints: frozenset[str]
    rule: Rule
    kinds: frozenset[str] = frozenset()  # wrong-flag, missing-tool, …

    @property
    def is_known(self) -> bool:
        return bool(self.fingerprints or self.rule.error)

    def was_made(self, call: ContextCall, matches: bool) -> bool | None:
        """Returns None if unknown: the call did not finish, or a failure may hide behind its success."""
        if call.outcome not in ("ok", "failed"):
            return None
        if call.outcome == "ok" and not call.suspicious:
            return None if hides_errors(call.command) else False
        if self._is_its_error(call) or (matches and self._is_of_its_kind(call)):
            return True
        return None if call.outcome == "ok" else False

    def _is_of_its_kind(self, call: ContextCall) -> bool:
        if call.outcome != "failed" or call.weight < ENOUGH:
            return False
        return not self.is_known or bool(self.kinds and call.kind in (*self.kinds, _WITHOUT_FIX))

    def is_meant(self, call: ContextCall) -> bool:
        """Whether the lesson applies to the call's tool, place and agent."""
        return applies(self.rule, asked(call))

    def _is_its_error(self, call: ContextCall) -> bool:
        if call.error_fingerprint and call.error_fingerprint in self.fingerprints:
            return True
        error = call.error.replace("\r\n", "\n")
        return bool(error) and occurs(self.rule, self.rule.error, error)


def mistakes_of(history: History, lessons: Sequence[Lesson]) -> dict[str, Mistake]:
    """Returns mistakes by lesson id."""
    learned, rules = calls_learned_from(history, lessons), rules_of(lessons)
    return {each.id: mistake_of(history, learned[each.id], rules[each.id]) for each in lessons}


def calls_learned_from(history: History, lessons: Iterable[Lesson]) -> dict[str, list[str]]:
    """Returns the failed calls that each lesson was learned from, by its id; not those that failed later."""
    learned = candidates_of_lessons(history)
    return {each.id: [one.tool_use_id for one in _first_evidence(each, learned) if one.tool_use_id] for each in lessons}


def mistake_of(history: History, calls: Sequence[str], rule: Rule | None = None) -> Mistake:
    """Returns the mistake that was made at these failed calls."""
    fingerprints = history.calls.error_fingerprints(calls) if calls else ()
    kinds = frozenset(row.kind for row in history.episodes.of_calls(calls).values())
    return Mistake(frozenset(fingerprints), rule or Rule(), kinds)


def sessions_learned_from(history: History, lessons: Iterable[Lesson]) -> dict[str, frozenset[str]]:
    """Returns the sessions that each lesson was learned from, by its id; not those where its mistake was made later."""
    learned, found = candidates_of_lessons(history), {}
    for each in lessons:
        first = {one.session_id for one in _first_evidence(each, learned)}
        everywhere = {one.session_id for candidate in learned.get(each.id, ()) for one in candidate.evidence}
        found[each.id] = frozenset(first | (set(each.source_session_ids) - everywhere))
    return found


def _first_evidence(lesson: Lesson, learned: Mapping[str, Sequence[StoredCandidate]]) -> Iterator[Occurrence]:
    """Yields what was known of its mistakes when it was created."""
    for candidate in learned.get(lesson.id, ()):
        for each in candidate.evidence:
            if not lesson.created_at or each.time <= lesson.created_at:
                yield each


_START, _FAILURE = "SessionStart", "PostToolUseFailure"
_DENIALS = ("stop", "block")
# If a call has several lines of one lesson, such as a hint before it and one at its error, the first in this order
# counts.
_STRENGTH = ("block", "stop", "hint", "allowed", "held-out", "shadow", "dropped", "muted")

Fired = Callable[[ContextCall], Sequence[Lesson]]
Recalled = Callable[[Sequence[str]], Mistake]


class Judge:
    """Judges contexts; `fired` returns the lessons that match a call, `recalled` the mistake of failed calls."""

    def __init__(
        self,
        lessons: Sequence[Lesson],
        mistakes: Mapping[str, Mistake],
        fired: Fired,
        recalled: Recalled = lambda calls: Mistake(frozenset(), Rule()),
    ) -> None:
        self._lessons = {each.id: each for each in lessons}
        self._mistakes = mistakes
        self._fired = fired
        self._recalled = recalled
        self._about: dict[str, list[str]] = {}  # the lessons about an error, by its fingerprint
        for each in lessons:
            for fingerprint in mistakes[each.id].fingerprints:
                self._about.setdefault(fingerprint, []).append(each.id)

    def opportunities(self, context: LoggedContext) -> Iterator[Opportunity]:
        matched: dict[str, set[str]] = {}
        for call in context.calls:
            for lesson in self._fired(call):
                matched.setdefault(lesson.id, set()).add(call.tool_use_id)
        logged: dict[str, list[Injection]] = {}
        for line in context.injections:
            if line.decision in _STRENGTH:  # otherwise logged by an unknown version
                logged.setdefault(line.lesson, []).append(line)
        made = {name for call in context.calls for name in self._about.get(call.error_fingerprint, ())}
        for name in sorted((matched.keys() | logged.keys() | made) & self._lessons.keys()):
            lines = logged.get(name, [])
            view = _view(self._lessons[name], self._mistakes[name], context, lines, matched.get(name, set()))
            yield from view.logged(lines)
            if not lines:
                yield from view.unlogged()
            yield from view.missed(lines)
        yield from self._recalls(context)

    def _recalls(self, context: LoggedContext) -> Iterator[Opportunity]:
        """Yields what memory said: a hint about the failures that it rests on, and about the one it was said after."""
        said: dict[str, list[Injection]] = {}
        for line in context.injections:
            if line.memory and line.decision in _STRENGTH:
                said.setdefault(line.memory, []).append(line)
        for name, lines in sorted(said.items()):
            after = {line.tool_use_id for line in lines if line.event == _FAILURE}
            mistake = self._recalled(sorted(after.union(*(line.rests_on for line in lines))))
            lesson = Lesson(id=name, slug=RECALL, summary="", problem="", solution="")
            yield from _view(lesson, mistake, context, lines, set()).logged(lines)


def _view(
    lesson: Lesson, mistake: Mistake, context: LoggedContext, lines: Sequence[Injection], matches: set[str]
) -> "_View":
    # A logged match counts as a match, whatever the trigger is today and whatever the history has.
    matches = matches | {line.tool_use_id for line in lines}
    denied = {line.tool_use_id for line in context.injections if line.decision in _DENIALS}
    allowed = {line.tool_use_id for line in lines if line.decision == "allowed"}
    attempts = [_attempt(mistake, call, matches, denied, allowed) for call in context.calls]
    return _View(lesson, mistake, context, attempts)


def _attempt(mistake: Mistake, call: ContextCall, matches: set[str], denied: set[str], allowed: set[str]) -> Attempt:
    is_match = call.tool_use_id in matches
    return Attempt(
        call.tool_use_id,
        call.message_id or call.tool_use_id,
        call.outcome,
        call.command or call.arguments,
        _subject(call),
        is_match,
        mistake.was_made(call, is_match),
        call.tool_use_id in denied,
        call.tool_use_id in allowed,
    )


class _View:
    """One context from the view of one lesson."""

    def __init__(self, lesson: Lesson, mistake: Mistake, context: LoggedContext, attempts: list[Attempt]) -> None:
        self.lesson = lesson
        self.mistake = mistake
        self.context = context
        self.attempts = attempts
        self.place = {call.tool_use_id: number for number, call in enumerate(context.calls)}

    def logged(self, lines: Sequence[Injection]) -> Iterator[Opportunity]:
        """Yields one opportunity per call at which the hook acted, in order."""
        chosen: dict[str, Injection] = {}
        for line in sorted(lines, key=lambda line: (_STRENGTH.index(line.decision), line.time)):
            chosen.setdefault(self._name(line), line)
        is_first = True  # an undelivered lesson was not an opportunity yet
        for name, line in sorted(chosen.items(), key=lambda pair: (pair[1].time, pair[0])):
            number = self.place.get(name)
            is_start = line.event == _START
            given = Case(
                cast(Decision, line.decision),
                None if number is None else self.attempts[number],
                self._since(line.time) if is_start else self._later(number),
                self._is_delivered(line, name),
                "" if number is None else self.context.calls[number].fix_tool_use_id,
                is_first,
                is_start,
            )
            found = self._opportunity(given, name, number, line)
            is_first = is_first and found.outcome == "notDelivered"
            yield found

    def unlogged(self) -> Iterator[Opportunity]:
        """Yields the first matching call at which the hook did nothing."""
        for number, attempt in enumerate(self.attempts):
            if attempt.matches:
                given = Case("none", attempt, self._later(number))
                yield self._opportunity(given, attempt.tool_use_id, number)
                return

    def missed(self, lines: Sequence[Injection]) -> Iterator[Opportunity]:
        """Yields the first time the mistake was made although the lesson existed and the agent had not read it."""
        created = self.lesson.created_at
        if not created or self.lesson.stage == "retired":
            return
        known_from = min((line.time for line in lines if self._is_read(line)), default="~")
        for number, (attempt, call) in enumerate(zip(self.attempts, self.context.calls, strict=True)):
            is_unmatched = attempt.mistake and not attempt.matches and created < call.time < known_from
            if is_unmatched and self.mistake.is_meant(call):
                given = Case("missed", attempt, self._later(number), is_first=False)
                yield self._opportunity(given, attempt.tool_use_id, number)
                return

    def _opportunity(self, given: Case, name: str, number: int | None, line: Injection | None = None) -> Opportunity:
        judged = judge(given)
        call = None if number is None else self.context.calls[number]
        return Opportunity(
            lesson=self.lesson.id,
            slug=self.lesson.slug,
            time=call.time if call and call.time else line.time if line else "",
            session=self.context.session_id,
            agent=call.agent if call else line.agent if line else "",
            model=call.model if call else line.model if line else "",
            project=call.project if call else line.cwd if line else "",
            tool_use_id=name,
            decision=given.decision,
            outcome=judged.outcome,
            failed=judged.failed,
            is_active=judged.is_active,
            repeated=judged.repeated,
        )

    def _name(self, line: Injection) -> str:
        """Returns the id of its call; for agents without ids, of the last matching call up to then."""
        if line.tool_use_id:
            return line.tool_use_id
        if line.event != _START:
            made = [number for number, call in enumerate(self.context.calls) if call.time <= line.time]
            for number in reversed(made):
                if self.attempts[number].matches:
                    return self.attempts[number].tool_use_id
        return f"line {line.key}"

    def _later(self, number: int | None) -> list[Attempt]:
        """Returns what the agent did after the result: calls of the same message were issued together."""
        if number is None:
            return []
        message = self.attempts[number].message
        return [each for each in self.attempts[number + 1 :] if each.message != message]

    def _since(self, time: str) -> list[Attempt]:
        return [each for each, call in zip(self.attempts, self.context.calls, strict=True) if call.time >= time]

    def _is_read(self, line: Injection) -> bool:
        """Whether the agent knows the lesson from then on."""
        is_hint = line.decision == "hint" and self._is_delivered(line, self._name(line)) is not False
        return is_hint or line.decision in _DENIALS

    def _is_delivered(self, line: Injection, name: str) -> bool | None:
        if (name, line.event) in self.context.sent:
            return True
        return False if name in self.context.dropped else None


def _subject(call: ContextCall) -> str:
    if call.command:
        return f"{call.program} {call.subcommand}" if call.program else ""
    return f"{canonical_name(call.tool)} {call.path}" if call.path else ""
