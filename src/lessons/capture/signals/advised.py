"""Finds whether the sub-command that the error names did it."""

import re

from lessons.capture.signals.difference import Words
from lessons.capture.signals.pair import Pair
from lessons.episode import Change
from lessons.shell.family import family_of
from lessons.shell.named import is_named

_SHORTEST_THING = 4
_USAGE = re.compile(r"^\s*(?:usage|or|commands?|available)\b", re.IGNORECASE)


def change(pair: Pair) -> Change | None:
    """Detects `lamp get a` → `lamp install a@2`, if the error says to use `lamp install`."""
    before, after = pair.before, pair.after
    if pair.kind is None or not before.words or before.program != after.program:
        return None
    if pair.folder != pair.fixed_folder or before.folders != after.folders:
        return None
    old, new = family_of(before.words), family_of(after.words)
    if old == new or " " not in new or not _is_about_same(before.words, after.words):
        return None
    lines = [line for line in pair.error.splitlines() if not _USAGE.match(line)]
    return Change("wrong-command", old, new) if any(is_named(new, line) for line in lines) else None


def _is_about_same(before: Words, after: Words) -> bool:
    """Whether an argument of the failed call is one of the other, or its beginning."""
    things = [word for word in before[1:] if word[:1] != "-" and len(word) >= _SHORTEST_THING]
    return any(word.startswith(thing) for thing in things for word in after[1:])
