"""`rm` of a missing file stops the line."""

import re

from lessons.capture.wording.causes.cause import Cause
from lessons.episode import Episode
from lessons.failure.telling_line import telling_line
from lessons.shell.line import parts

_GONE = re.compile(r"^rm: .*No such file or directory")
_PROBLEM = "`rm` fails where the file is already gone, and what follows behind `&&` does not run"
_REMEDY = "Run what follows on its own: there is nothing to remove"


def cause(episode: Episode) -> Cause | None:
    if not _GONE.search(telling_line(episode.failure.error)):
        return None
    line = parts(episode.failure.command)
    stops = any(part.program == "rm" and part.operator == "&&" for part in line)
    if not stops:
        return None
    worked = parts(episode.fix.command) if episode.fix and episode.fix.command else ()
    return Cause(_PROBLEM, _REMEDY, bool(worked) and all(part.program != "rm" for part in worked))
