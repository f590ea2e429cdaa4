"""What the lessons of that time would have done in a session with repeated mistakes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from lessons.match.call import ToolCall
from lessons.replay.acting import ActingLessons
from lessons.replay.learner import Refusal
from lessons.replay.repeats import Repeat
from lessons.store.history.past_calls import SessionCall

Moment = Literal["call", "start", "error", "missed"]
Why = Literal["", "no trigger", "refused", "scope", "trigger too narrow", "learned too late", "state unknown"]
_OK = "ok"


class Outcome(NamedTuple):
    """When a lesson would have caught a repeated mistake, or why it was missed."""

    repeat: Repeat
    call: SessionCall
    moment: Moment
    why: Why = ""


class Replayed(NamedTuple):
    """What would have happened in one session."""

    outcomes: list[Outcome]
    good_calls: int
    false_alarms: int
    alarms: int  # calls at which a lesson fires before they run, whatever their outcome


class Begun(NamedTuple):
    """The state when a session started."""

    lessons: int  # the number of lessons
    refused: Mapping[str, Refusal] = {}  # by mistake, why it led to no lesson


class SessionJudge:
    """`lessons_about` has for a mistake the numbers of the lessons learned from it."""

    def __init__(self, acting: ActingLessons, lessons_about: Mapping[str, Sequence[int]]) -> None:
        self._acting = acting
        self._lessons_about = lessons_about

    def judge(self, calls: Sequence[SessionCall], repeats: Sequence[Repeat], begun: Begun) -> Replayed:
        repeated = {each.tool_use_id: each for each in repeats}
        counts: Counter[str] = Counter()
        outcomes = []
        for call in calls:
            fires = self._fires(call, begun.lessons)
            counts["alarms"] += fires
            # A call that looks like a failure hidden by a pipe is not a good call.
            if call.outcome == _OK and not call.suspicious:
                counts["good"] += 1
                counts["false"] += fires
            if repeat := repeated.get(call.tool_use_id):
                outcomes.append(Outcome(repeat, call, "call") if fires else self._later(repeat, call, calls[0], begun))
        return Replayed(outcomes, counts["good"], counts["false"], counts["alarms"])

    def _fires(self, call: SessionCall, upto: int) -> bool:
        numbers = self._acting.before(call, upto)
        return bool(numbers) and self._any_acts(numbers, self._acting.whole(call))

    def _any_acts(self, numbers: Sequence[int], call: ToolCall) -> bool:
        return any(self._acting.lessons[number].acts_on(call) for number in numbers)

    def _later(self, repeat: Repeat, call: SessionCall, first: SessionCall, begun: Begun) -> Outcome:
        """Returns the outcome: noted at the start, caught at the error, or missed."""
        upto = begun.lessons
        about = [number for number in self._lessons_about.get(repeat.mistake, ()) if number < upto]
        # A subagent does not see what its session was shown at the start.
        if not call.agent_id and not self._acting.at_start(first, upto).isdisjoint(about):
            return Outcome(repeat, call, "start")
        failed = self._acting.whole(call, with_error=True)
        numbers = self._acting.after(failed, upto) if failed.error else []
        if self._any_acts(numbers, failed):
            return Outcome(repeat, call, "error")
        if about:
            return Outcome(repeat, call, "missed", self._why(call, failed, about, upto, numbers))
        refused = begun.refused.get(repeat.mistake) if repeat.is_learnable else None
        return Outcome(repeat, call, "missed", refused or "learned too late")

    def _why(
        self, call: SessionCall, failed: ToolCall, about: Sequence[int], upto: int, at_error: Sequence[int]
    ) -> Why:
        """Returns the reason for the lesson about this mistake that came closest."""
        lessons, here = self._acting.lessons, self._acting.whole(call)
        fired = [(lessons[number], here) for number in self._acting.before(call, upto) if number in about]
        fired += [(lessons[number], failed) for number in at_error if number in about]
        if any(lesson.acts_on(seen) is None for lesson, seen in fired):
            return "state unknown"
        if fired:
            return "scope"
        if any(not lessons[number].is_note for number in about):
            return "trigger too narrow"
        notes = [lessons[number] for number in about if lessons[number].is_meant(here)]
        if any(note.lesson.rule.has_state for note in notes):
            return "state unknown"
        return "no trigger" if notes else "scope"
