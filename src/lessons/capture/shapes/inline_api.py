"""Whether code in a failed command line uses a name that a library does not have."""

from lessons.episode import Step
from lessons.failure.api_error import api_error, library_error
from lessons.shell.split import scripts_in


def uses_unknown_name(step: Step) -> bool:
    if not step.command or api_error(step.error) is None:
        return False
    return library_error(step.error, scripts_in(step.command), step.cwd) is not None
