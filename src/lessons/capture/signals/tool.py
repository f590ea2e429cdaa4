"""Finds whether another tool of the agent did what the call could not."""

import re

from lessons.capture.signals.looks import is_looking_tool
from lessons.capture.signals.pair import Pair
from lessons.episode import Change
from lessons.shell.looks import only_looks

_NAMES = re.compile(r"[\w.-]{4,}")
_SEARCHED_CHARACTERS = 2000


def change(pair: Pair) -> Change | None:
    """Detects a call of another tool directly after, about the same object."""
    if pair.between or not _can_stand_for(pair):
        return None
    before = _names(pair.failure.command or pair.failure.arguments)
    after = _names(pair.fix.command or pair.fix.path or pair.fix.arguments)
    return Change("other-tool", pair.failure.tool, pair.fix.tool) if before & after else None


def _can_stand_for(pair: Pair) -> bool:
    """A read can replace only a read: after a failure, a read is usually a search for the cause."""
    failed, other = pair.failure.tool, pair.fix.tool
    if failed == other or pair.fix.command:
        return False
    if pair.failure.command:
        return is_looking_tool(other) and only_looks(pair.failure.command)
    if is_looking_tool(other) and not is_looking_tool(failed):
        return False
    server = failed.rpartition("__")[0]
    return server != "" and other.startswith(server + "__")


def _names(text: str) -> set[str]:
    return {name.lower() for name in _NAMES.findall(text[:_SEARCHED_CHARACTERS])}
