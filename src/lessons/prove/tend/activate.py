"""Shadow to active: enough of the calls that it matched in shadow failed."""

from lessons.prove.interval import share
from lessons.prove.tend.facts import Facts, Proposal, calls, failures, proposal, sessions

_FEWEST_CALLS = 5
_FEWEST_SESSIONS = 2


def propose(facts: Facts) -> Proposal | None:
    matched = [each for each in facts.matches if each.decision == "shadow"]
    seen = failures(matched)
    precision = share(seen)
    if facts.lesson.stage != "shadow" or precision is None:
        return None
    if seen.calls < _FEWEST_CALLS or sessions(matched) < _FEWEST_SESSIONS or facts.bad > facts.good:
        return None
    # The lower end may be below the required value, or rare mistakes would stay in shadow for months.
    if precision.middle < facts.least_precision or precision.low < facts.least_precision / 2:
        return None
    reason = f"In shadow {seen.failed} of {calls(seen.calls)} that it matched failed: activate it."
    evidence = {"failed": seen.failed, "calls": seen.calls, "low": round(precision.low, 3)}
    return proposal(facts, "activate", reason, {"stage": None}, **evidence)
