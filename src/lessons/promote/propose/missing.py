"""A program that is not installed: the trigger names it, wherever it is called."""

from lessons.model import Scope, Triggers
from lessons.promote.propose.mistake import Mistake


def missing_program_trigger(mistake: Mistake) -> tuple[Triggers, str, float, float, Scope, str] | None:
    return None
