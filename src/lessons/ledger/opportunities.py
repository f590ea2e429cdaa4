"""Finds every opportunity that lessons had in a context, and the outcome of each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from lessons.ledger.mistakes import Mistake
from lessons.match.tools import canonical_name
from lessons.model import Lesson
from lessons.opportunity import Decision, Opportunity
from lessons.prove.judge import Attempt, Case, judge
from lessons.store.history.contexts import Context, ContextCall
from lessons.store.history.injections import Injection

_START = "SessionStart"
_DENIALS = ("stop", "block")
# If a call has several lines of one lesson, such as a hint before it and one at its error, the first in this order
# counts.
_STRENGTH = ("block", "stop", "hint", "allowed", "held-out", "shadow", "dropped", "muted")

Fired = Callable[[ContextCall], Sequence[Lesson]]


class Judge:
    """Judges contexts; `fired` returns the lessons that match a call."""

    def __init__(self, lessons: Sequence[Lesson], mistakes: Mapping[str, Mistake], fired: Fired) -> None:
        self._lessons = {each.id: each for each in lessons}
        self._mistakes = mistakes
        self._fired = fired
        self._about: dict[str, list[str]] = {}  # the lessons about an error, by its fingerprint
        for each in lessons:
            for fingerprint in mistakes[each.id].fingerprints:
                self._about.setdefault(fingerprint, []).append(each.id)

    def opportunities(self, context: Context) -> Iterator[Opportunity]:
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
            yield from self._of_lesson(context, name, logged.get(name, []), matched.get(name, set()))

    def _of_lesson(
        self, context: Context, name: str, lines: list[Injection], matches: set[str]
    ) -> Iterator[Opportunity]:
        # A logged match counts as a match, whatever the trigger is today and whatever the history has.
        matches = matches | {line.tool_use_id for line in lines}
        denied = {line.tool_use_id for line in context.injections if line.decision in _DENIALS}
        allowed = {line.tool_use_id for line in lines if line.decision == "allowed"}
        attempts = [self._attempt(name, call, matches, denied, allowed) for call in context.calls]
        view = _View(self._lessons[name], self._mistakes[name], context, attempts)
        yield from view.logged(lines)
        if not lines:
            yield from view.unlogged()
        yield from view.missed(lines)

    def _attempt(self, name: str, call: ContextCall, matches: set[str], denied: set[str], allowed: set[str]) -> Attempt:
        is_match = call.tool_use_id in matches
        return Attempt(
            call.tool_use_id,
            call.message_id or call.tool_use_id,
            call.outcome,
            call.command or call.arguments,
            _subject(call),
            is_match,
            self._mistakes[name].was_made(call, is_match),
            call.tool_use_id in denied,
            call.tool_use_id in allowed,
        )


class _View:
    """One context from the view of one lesson."""

    def __init__(self, lesson: Lesson, mistake: Mistake, context: Context, attempts: list[Attempt]) -> None:
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
