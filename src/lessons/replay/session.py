"""A session with repeated mistakes in, what the lessons of that moment would have done in it out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from lessons.match.call import ToolCall
from lessons.promote.propose.proposals import call_of
from lessons.replay.acting import ActingLessons, asked
from lessons.replay.repeats import Repeat
from lessons.store.history.history import History
from lessons.store.history.past_calls import SessionCall

Moment = Literal["call", "start", "error", "missed"]
Why = Literal["", "no lesson", "no trigger", "scope", "trigger too narrow", "learned too late", "state unknown"]
_OK = "ok"


class Outcome(NamedTuple):
    """When a repeated mistake would have met a lesson; for a missed one why it did not."""

    repeat: Repeat
    call: SessionCall
    moment: Moment
    why: Why = ""


class Replayed(NamedTuple):
    """What would have happened in one session."""

    outcomes: list[Outcome]
    good_calls: int
    false_alarms: int
    alarms: int  # calls at which a lesson fires before they run, whatever came of them


class SessionJudge:
    """`lessons_about` gives for a mistake the numbers of the lessons that were learned from it."""

    def __init__(self, history: History, acting: ActingLessons, lessons_about: Mapping[str, Sequence[int]]) -> None:
        self._history = history
        self._acting = acting
        self._lessons_about = lessons_about

    def judge(self, calls: Sequence[SessionCall], repeats: Sequence[Repeat], upto: int) -> Replayed:
        """`upto` is the number of lessons that there were when the session began."""
        repeated = {each.tool_use_id: each for each in repeats}
        counts: Counter[str] = Counter()
        outcomes = []
        for call in calls:
            fires = self._fires(call, upto)
            counts["alarms"] += fires
            # What reads like a failure behind a pipe is no good call.
            if call.outcome == _OK and not call.suspicious:
                counts["good"] += 1
                counts["false"] += fires
            if repeat := repeated.get(call.tool_use_id):
                outcomes.append(Outcome(repeat, call, "call") if fires else self._later(repeat, call, calls[0], upto))
        return Replayed(outcomes, counts["good"], counts["false"], counts["alarms"])

    def _fires(self, call: SessionCall, upto: int) -> bool:
        numbers = self._acting.before(call, upto)
        return bool(numbers) and self._any_applies(numbers, asked(call))

    def _any_applies(self, numbers: Sequence[int], call: ToolCall) -> bool:
        return any(self._acting.lessons[number].applies(call) for number in numbers)

    def _later(self, repeat: Repeat, call: SessionCall, first: SessionCall, upto: int) -> Outcome:
        """Noted at the start, caught at the error, or missed."""
        about = [number for number in self._lessons_about.get(repeat.mistake, ()) if number < upto]
        # A subagent is not shown what its session was shown at the start.
        if not call.agent_id and not self._acting.at_start(first, upto).isdisjoint(about):
            return Outcome(repeat, call, "start")
        failed = self._failed(call)
        numbers = self._acting.after(failed, upto) if failed else []
        if failed and self._any_applies(numbers, failed):
            return Outcome(repeat, call, "error")
        return Outcome(repeat, call, "missed", self._why(repeat, call, about, numbers, upto))

    def _failed(self, call: SessionCall) -> ToolCall | None:
        """The call with its error, as the hook is told of it."""
        rows = [row for row in self._history.calls.named([call.tool_use_id]) if row.error]
        if not rows:
            return None
        failed, made = call_of(rows[0]), asked(call)
        failed.operating_system, failed.shell = made.operating_system, made.shell
        return failed

    def _why(self, repeat: Repeat, call: SessionCall, about: list[int], at_error: list[int], upto: int) -> Why:
        """The reason of the lesson that came closest, of those about this mistake."""
        if not about:
            return "no lesson" if repeat.is_learnable else "learned too late"
        lessons, here = self._acting.lessons, asked(call)
        fired = [lessons[number] for number in {*self._acting.before(call, upto), *at_error} & set(about)]
        if any(each.may_apply(here) for each in fired):
            return "state unknown"
        if fired:
            return "scope"
        if any(not lessons[number].is_note for number in about):
            return "trigger too narrow"
        return "no trigger" if any(lessons[number].may_apply(here) for number in about) else "scope"
