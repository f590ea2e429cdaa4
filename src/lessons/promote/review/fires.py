"""Whether a trigger fires on the calls that a candidate was learned from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from lessons.match.known_state import AsWanted
from lessons.match.rule import Rule, why_it_fires
from lessons.mistakes.past_call import call_of
from lessons.model import Scope, Triggers
from lessons.promote.backtest.rule import compiled
from lessons.promote.queue.candidate import Candidate
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

if TYPE_CHECKING:
    from lessons.match.state import Probe


class Fired(NamedTuple):
    """On how many of the failed calls, of how many that the history holds."""

    hits: int
    calls: int

    def warning(self) -> str:
        """Empty if it fires on some of them, or none is known."""
        if self.hits or not self.calls:
            return ""
        calls = "the call" if self.calls == 1 else f"any of the {self.calls:,} calls"
        return f"It does not fire on {calls} it was learned from."


def fires_before(rule: Rule, stored: StoredCall, state: "Probe | None" = None) -> bool:
    """Whether it fires before the call runs; without a state, never where it asks for one."""
    call = call_of(msgspec.structs.replace(stored, error=""))
    call.probe = state
    return why_it_fires(rule, call) is not None


def fires_after(rule: Rule, stored: StoredCall) -> bool:
    """Whether it fires on the error; the state it asks for is taken for given, for no history tells it."""
    if not rule.error or not stored.error:
        return False
    call = call_of(stored)
    call.probe = AsWanted()
    return why_it_fires(rule, call) is not None


def fired(history: History, candidates: Sequence[Candidate], triggers: Triggers, scope: Scope) -> Fired:
    """The state of a call is taken for the one that the trigger asks for.

    Refused if publishing would leave such a lesson out.
    """
    if triggers.session_start:
        return Fired(0, 0)  # it is shown without a call
    rule = compiled(triggers, scope).rule
    names = [each.tool_use_id for candidate in candidates for each in candidate.evidence if each.tool_use_id]
    calls = history.calls.named(names)
    hits = [fires_before(rule, call, AsWanted()) or fires_after(rule, call) for call in calls]
    return Fired(sum(hits), len(calls))
