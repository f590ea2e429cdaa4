"""zsh stops a command whose glob matches nothing."""

import re

from lessons.capture.wording.causes.cause import Cause
from lessons.episode import Episode
from lessons.failure.telling_line import telling_line

_NO_MATCH = re.compile(r"(?:^|: )no matches found: (\S+)")
_PROBLEM = "zsh stops the whole command when a glob matches nothing (`no matches found`)"
_REMEDY = "Quote what is no glob; look for files with `find` or the Glob tool instead of `ls` with a pattern"


def cause(episode: Episode) -> Cause | None:
    return Cause(_PROBLEM, _REMEDY) if _NO_MATCH.search(telling_line(episode.failure.error)) else None
