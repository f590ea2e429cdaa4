"""Retire: the program that it is about is no longer installed."""

from lessons.prove.tend.facts import Facts, Proposal, proposal
from lessons.prove.tend.no_match import weeks_between

_FEWEST_WEEKS = 2  # a program may be missing for a day, in a container or during an update


def propose(facts: Facts) -> Proposal | None:
    last = max((each.time for each in facts.matches), default="")
    weeks = weeks_between(last or facts.since, facts.now)
    if not facts.programs_gone or weeks is None or weeks < _FEWEST_WEEKS:
        return None
    names = ", ".join(facts.programs_gone)
    reason = f"{names} is not installed, and no call has matched it for {weeks} weeks: retire it."
    evidence = {"programs": list(facts.programs_gone), "lastMatch": last or None}
    return proposal(facts, "retire", reason, {"stage": "retired"}, **evidence)
