"""Judges the outcome of a lesson at a call by what followed; docs/PROOF.md has the definitions with examples."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from lessons.opportunity import Decision, Outcome

_RAN = ("ok", "failed")


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """A call of a context, from the view of one lesson."""

    tool_use_id: str
    message: str  # calls of one message were issued together
    outcome: str  # of the call: ok, failed, refused, cancelled, interrupted, unknown
    text: str  # the request, to distinguish a rerun from a changed call
    subject: str  # equal for other attempts at the same thing: the program, the file; empty: unknown
    matches: bool  # the trigger of the lesson fires on it
    mistake: bool | None  # the mistake of the lesson was made; None: unknown, or the call did not run
    is_denied: bool = False  # a lesson stopped or blocked it
    is_allowed: bool = False  # the user let it pass, although the lesson blocks it

    @property
    def ran(self) -> bool:
        return self.outcome in _RAN


class Case(msgspec.Struct, frozen=True):
    """What the hook did with a lesson at a call, and the later calls of the same context."""

    decision: Decision
    call: Attempt | None  # None: not in any transcript, or there is none (session start)
    later: Sequence[Attempt] = ()  # what the agent did after the result of the call
    is_delivered: bool | None = None
    fix: str = ""  # the call known to have fixed this one
    is_first: bool = True  # the first opportunity of the lesson in this context
    is_start: bool = False  # it was shown at session start


class Judgement(NamedTuple):
    outcome: Outcome
    failed: bool | None
    repeated: bool | None
    is_active: bool


def judge(given: Case) -> Judgement:
    repeated = _repeated(given.later) if given.is_first else None
    if given.decision in ("stop", "block"):
        outcome, failed = _denied(given)
        return Judgement(outcome, failed, repeated, True)
    if given.decision == "hint" and given.is_delivered is not False:
        outcome, failed = _shown_at_start(given.later) if given.is_start else _shown(given)
        return Judgement(outcome, failed, repeated, True)
    return Judgement(_UNREAD.get(given.decision, "notDelivered"), _failed(given.call), repeated, False)


# Decisions for which the agent was not meant to read the lesson; all others are not delivered.
_UNREAD: dict[Decision, Outcome] = {
    "allowed": "overridden",
    "held-out": "heldOut",
    "missed": "missed",
    "none": "notShown",
    "shadow": "notShown",
}


def _shown(given: Case) -> tuple[Outcome, bool | None]:
    """A hint arrives with the result of its call: the next attempt shows its effect."""
    call = given.call
    if call is None:
        return "unknown", None
    if call.ran and not call.mistake:
        if call.mistake is None or call.outcome != "ok":
            is_ignored = _repeated(given.later)
            return ("ignoredFailed" if is_ignored else "unknown"), call.mistake
        return ("ignoredFailed" if _repeated(given.later) else "falseAlarm"), False
    attempt = next((each for each in given.later if each.ran and _is_attempt(each, call, given.fix)), None)
    if attempt is None or attempt.mistake is None:
        return "unknown", call.mistake
    return ("ignoredFailed" if attempt.mistake else "heeded"), call.mistake


def _shown_at_start(later: Sequence[Attempt]) -> tuple[Outcome, bool | None]:
    """Reports whether the mistake was made; if not, that may have many reasons."""
    return ("ignoredFailed" if _repeated(later) else "unknown"), _repeated(later)


def _denied(given: Case) -> tuple[Outcome, bool | None]:
    """A denied call did not run: what came instead of it counts."""
    call = given.call
    if call is None:
        return "unknown", None
    if call.ran:  # the client ran it anyway
        return _rerun(call, call)
    for attempt in given.later:
        if not _is_attempt(attempt, call, given.fix):
            continue
        if attempt.is_denied and attempt.matches:
            return "stoppedRepeated", False
        if attempt.is_allowed:
            return "unknown", None  # the user's decision is counted at that call, once
        if attempt.ran:
            return _rerun(attempt, call)
    tried = any(_is_attempt(each, call, given.fix) for each in given.later)
    went_on = any(each.ran for each in given.later)
    return ("stoppedCorrected", False) if went_on and not tried else ("unknown", None)


def _rerun(attempt: Attempt, call: Attempt) -> tuple[Outcome, bool | None]:
    if attempt.mistake is None:
        return "unknown", None
    if attempt.mistake:
        return "stoppedRepeated", True
    if attempt.text != call.text:
        return "stoppedCorrected", False
    return ("falseAlarm" if attempt.outcome == "ok" else "unknown"), False


def _is_attempt(each: Attempt, call: Attempt, fix: str) -> bool:
    """Whether the agent tried again what the call was meant to do."""
    is_same = bool(each.subject) and each.subject == call.subject
    return each.matches or each.mistake is True or is_same or (bool(fix) and each.tool_use_id == fix)


def _repeated(later: Sequence[Attempt]) -> bool | None:
    if any(each.mistake for each in later):
        return True
    return False if any(each.ran for each in later) else None


def _failed(call: Attempt | None) -> bool | None:
    return call.mistake if call else None
