"""A program that is not installed: the trigger names it, wherever it is called."""

from lessons.model import Triggers
from lessons.promote.propose.mistake import Mistake
from lessons.promote.propose.words import is_program, literal
from lessons.shell.missing import missing_programs


def missing_program_trigger(mistake: Mistake) -> Triggers | None:
    """For a program that none of the failures found and that one of them calls by that name."""
    missing = set.intersection(*(missing_programs(call.error or "") for call in mistake.failures))
    called = [text.partition(" ")[0] for call in mistake.failures for texts in call.invocations() for text in texts]
    name = next((name for name in called if is_program(name) and name in missing), "")
    if not name:
        return None
    return Triggers(command_patterns=[rf"^{literal(name)}\b"], match_on="invocation")
