"""A pair in, whether another tool of the agent did what the call could not out."""

import re

from lessons.capture.signals.pair import Pair
from lessons.episode import Change

# What looks at files and pages as shell commands do.
_LOOKING = frozenset(("Read", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "NotebookRead"))
_NAMES = re.compile(r"[\w.-]{4,}")


def change(pair: Pair) -> Change | None:
    """A call of another tool right behind, about the same thing."""
    if pair.between or not _can_stand_for(pair.failure.tool, pair.fix.tool):
        return None
    before = _names(pair.failure.command or pair.failure.arguments)
    after = _names(pair.fix.command or pair.fix.path or pair.fix.arguments)
    return Change("other-tool", pair.failure.tool, pair.fix.tool) if before & after else None


def _can_stand_for(failed: str, other: str) -> bool:
    if failed == other:
        return False
    server = failed.rpartition("__")[0]
    return other in _LOOKING or (server != "" and other.startswith(server + "__"))


def _names(text: str) -> set[str]:
    return {name.lower() for name in _NAMES.findall(text[:2000])}
