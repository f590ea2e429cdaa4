"""Weaken: a stop or block that hinders good calls, or a lesson that the user calls bad."""

from lessons.prove.tend.facts import ActsAs, Changes, Facts, Proposal, Step, calls, proposal, times

_MOST_WRONG: dict[ActsAs, float] = {"block": 0.1, "stop": 0.4, "hint": 1.0}
_FEWEST_WRONG: dict[ActsAs, int] = {"block": 2, "stop": 3, "hint": 2}
_NEARLY_ALL = 0.8  # wrong so often that even a hint would only disturb


def propose(facts: Facts) -> Proposal | None:
    if facts.lesson.stage != "active":
        return None
    alarms = len(facts.came_to("falseAlarm")) if facts.acts_as != "hint" else 0
    overrides, bad = len(facts.came_to("overridden")), max(0, facts.bad - facts.good)
    right = len(facts.came_to("stoppedCorrected", "stoppedRepeated"))
    wrong = alarms + overrides + bad
    judged = wrong + right
    if wrong < _FEWEST_WRONG[facts.acts_as] or wrong < _MOST_WRONG[facts.acts_as] * judged:
        return None
    to_shadow = facts.acts_as == "hint" or wrong >= _NEARLY_ALL * judged
    step: Step = "shadow" if to_shadow else "hint"
    no_denial: Changes = {"block": False} if facts.acts_as == "block" else {"stopOnce": None}
    changes: Changes = {"stage": "shadow"} if to_shadow else no_denial
    seen = [
        f"stopped a good call {times(alarms)}" if alarms else "",
        f"was overridden {times(overrides)}" if overrides else "",
        f"was called bad {times(bad)}" if bad else "",
    ]
    of = f"Of {calls(judged)}, it" if facts.acts_as != "hint" else "It"
    reason = f"{of} {' and '.join(filter(None, seen))}: {'put it into shadow' if to_shadow else 'only hint'}."
    evidence = {"falseAlarms": alarms, "overridden": overrides, "bad": bad, "judged": judged}
    return proposal(facts, step, reason, changes, **evidence)
