"""Hint to stop once: agents read the hint and make the mistake anyway."""

from lessons.prove.tend.facts import Facts, Proposal, failures, proposal, sessions, times

_FEWEST_IGNORED = 3
_FEWEST_SESSIONS = 2
_LEAST_PRECISION = 0.6  # as for a lesson that stops from the beginning


def propose(facts: Facts) -> Proposal | None:
    if facts.lesson.stage != "active" or facts.acts_as != "hint" or not facts.can_stop or facts.bad > facts.good:
        return None
    ignored, heeded = facts.came_to("ignoredFailed"), facts.came_to("heeded")
    if len(ignored) < _FEWEST_IGNORED or sessions(ignored) < _FEWEST_SESSIONS or len(ignored) <= len(heeded):
        return None
    seen = failures(facts.matches)
    if not seen.calls or seen.failed < _LEAST_PRECISION * seen.calls:
        return None
    reason = f"Its hint was ignored {times(len(ignored))} and heeded {times(len(heeded))}: stop such a call once."
    evidence = {"ignored": len(ignored), "heeded": len(heeded), "failed": seen.failed, "calls": seen.calls}
    return proposal(facts, "stop-once", reason, {"stopOnce": True}, **evidence)
