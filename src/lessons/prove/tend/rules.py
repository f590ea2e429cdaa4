"""Chooses the next step of a lesson from the facts about it."""

from collections.abc import Callable

from lessons.prove.tend import activate, no_match, not_needed, program_gone, step_down, stop_once, wrong_trigger
from lessons.prove.tend.facts import Facts, Proposal

# Harmful lessons first; the first rule that proposes something wins.
RULES: tuple[Callable[[Facts], Proposal | None], ...] = (
    step_down.propose,
    program_gone.propose,
    not_needed.propose,
    wrong_trigger.propose,
    stop_once.propose,
    activate.propose,
    no_match.propose,
)


def next_step(facts: Facts) -> Proposal | None:
    """Returns None if the lesson should stay as it is, or is already retired."""
    if facts.lesson.stage == "retired":
        return None
    return next((found for rule in RULES if (found := rule(facts))), None)
