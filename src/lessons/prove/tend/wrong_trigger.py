"""New trigger: the mistake is made in calls that the lesson does not match."""

from lessons.prove.tend.facts import Facts, Proposal, proposal, sessions, times

_FEWEST_MISSES = 2
_FEWEST_SESSIONS = 2


def propose(facts: Facts) -> Proposal | None:
    missed = facts.came_to("missed")
    caught = [each for each in facts.matches if each.failed]
    if len(missed) < _FEWEST_MISSES or sessions(missed) < _FEWEST_SESSIONS or len(missed) <= len(caught):
        return None
    names = [each.tool_use_id for each in missed if each.tool_use_id]
    changes = facts.trigger_for(names)
    then = "add a trigger for those calls" if changes else "change its trigger with `lessons edit`"
    reason = f"The mistake was made {times(len(missed))} in calls that it does not match: {then}."
    return proposal(facts, "new-trigger", reason, changes, missed=len(missed), caught=len(caught), calls=names[:5])
