"""A failed call in, whether it asked an API for a path that it does not know out."""

import re

from lessons.episode import Step
from lessons.failure.telling_line import telling_line
from lessons.shell.api_path import api_shapes

_UNKNOWN_PATH = re.compile(
    r"\bHTTP(?:/\d(?:\.\d)?)?[ :]{1,2}40[45]\b|\b404[ :]+not found\b|\b405[ :]+method", re.IGNORECASE
)


def is_unknown_path(step: Step) -> bool:
    """Only for paths with an id in them: a page that is gone is an answer."""
    if not step.command or not _UNKNOWN_PATH.search(telling_line(step.error)):
        return False
    return any("" in shape for shape in api_shapes(step.command))
