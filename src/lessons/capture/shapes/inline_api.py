"""Whether code in a failed command line uses a name that a library does not have."""

from lessons.episode import Step
from lessons.failure.api_error import api_error, uses
from lessons.shell.split import scripts_in


def uses_unknown_name(step: Step) -> bool:
    found = api_error(step.error) if step.command else None
    return found is not None and any(uses(found, script) for script in scripts_in(step.command))
