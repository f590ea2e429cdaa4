"""Explains in words why a lesson fired: `commandPatterns[0]` becomes "command matches `git stash$`"."""

import re
from collections.abc import Mapping

from lessons.lesson_fields import FIRING

_PATTERN = re.compile(r"(\w+)\[(\d+)\]")
_OTHERS = {"toolNames": "any use of the tool", "sessionStart": "a session started"}
_LOOKED_AT = {field.name: field.looks_at for field in FIRING}


def why_in_words(why: str, triggers: Mapping[str, object]) -> str:
    """Takes the present triggers of the lesson; if it was changed since, the pattern may be missing."""
    found = _PATTERN.fullmatch(why)
    if not found:
        return _OTHERS.get(why, why)
    name, number = found[1], int(found[2])
    patterns = triggers.get(name)
    subject = _LOOKED_AT.get(name) or name
    if isinstance(patterns, list) and number < len(patterns):
        return f"{subject} matches `{patterns[number]}`"
    return f"{subject} matched a pattern that no longer exists"
