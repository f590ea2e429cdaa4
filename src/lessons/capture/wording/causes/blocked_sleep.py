"""A client that does not wait: it refuses a `sleep` followed by other commands."""

import re

from lessons.capture.wording.causes.cause import Cause
from lessons.episode import Episode

_BLOCKED = re.compile(r"Blocked: sleep \d")
_PROBLEM = "The client blocks `sleep` with other commands behind it"
_REMEDY = "Run the line in the background, or wait in a loop that ends: `until …; do sleep 2; done`"


def cause(episode: Episode) -> Cause | None:
    return Cause(_PROBLEM, _REMEDY) if _BLOCKED.search(episode.failure.error) else None
