"""A pipe that ends in `&&` and a backslash: some clients' shells then run an empty command."""

import re

from lessons.capture.wording.causes.cause import Cause
from lessons.episode import Episode

_SAID = re.compile(r"(?:permission denied|command not found): *$", re.MULTILINE)
_CONTINUED = re.compile(r"\|[^\n]*&& *\\\n")
_PROBLEM = "The shell runs an empty command where a pipe ends in `&&` and a backslash before the next line"
_REMEDY = "Write the commands on one line, or each on a line of its own without `&&` and the backslash"


def cause(episode: Episode) -> Cause | None:
    failure = episode.failure
    return Cause(_PROBLEM, _REMEDY) if _SAID.search(failure.error) and _CONTINUED.search(failure.command) else None
