"""Whether a failed call asked an API for a path that does not exist."""

from lessons.episode import Step
from lessons.failure.complaint import is_about_unknown_path
from lessons.failure.telling_line import telling_line
from lessons.shell.api_path import api_shapes


def is_unknown_path(step: Step) -> bool:
    """Only for paths with an id: for others, a missing page is an answer."""
    if not step.command or not is_about_unknown_path(telling_line(step.error)):
        return False
    return any("" in shape for shape in api_shapes(step.command))
