"""Retire: current models do not make the mistake, even without reading the lesson."""

from lessons.prove.interval import share
from lessons.prove.tend.facts import Facts, Proposal, calls, failures, proposal

_FEWEST_CALLS = 20
_NEAR_ZERO = 0.1  # the upper end of the share of calls that fail
_UNREAD = ("shadow", "held-out")


def propose(facts: Facts) -> Proposal | None:
    newest = {each.agent: each.model for each in facts.matches}
    unread = [each for each in facts.matches if each.decision in _UNREAD and each.model == newest[each.agent]]
    seen = failures(unread)
    made = share(seen)
    if made is None or seen.calls < _FEWEST_CALLS or made.high > _NEAR_ZERO:
        return None
    models = ", ".join(sorted({each.model for each in unread if each.model})) or "today's models"
    reason = f"Without it, {models} made the mistake at {seen.failed} of {calls(seen.calls)}: retire it."
    evidence = {"failed": seen.failed, "calls": seen.calls, "high": round(made.high, 3)}
    return proposal(facts, "retire", reason, {"stage": "retired"}, **evidence)
