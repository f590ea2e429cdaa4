"""The program got a backslash that the command did not have."""

from lessons.capture.episode_row import is_mangled
from lessons.capture.wording.causes.cause import Cause
from lessons.episode import Episode

_PROBLEM = "`!` in a command reaches the program as `\\!`: the expression no longer parses"
_REMEDY = "Write the condition without `!` (such as `== … | not`), or put the expression into a file"


def cause(episode: Episode) -> Cause | None:
    return Cause(_PROBLEM, _REMEDY) if is_mangled(episode.failure.command, episode.failure.error) else None
