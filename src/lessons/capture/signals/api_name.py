"""Finds what code in the command line uses in place of a name that a library does not have."""

import re
from difflib import SequenceMatcher

from lessons.capture.signals.difference import Words, blocks, inside, shortened, similarity
from lessons.capture.signals.pair import Pair
from lessons.episode import Change
from lessons.failure.api_error import ApiError, api_error, uses
from lessons.shell.split import scripts_in

_STATEMENT = re.compile(r"[^;\n]+")
_SIMILAR = 0.4
_COMPARED_CHARACTERS = 4096
_COMPARED = 200  # characters of a statement
_LONGEST_PART = 40  # of a statement: what is longer is shown with the rest of it


def change(pair: Pair) -> Change | None:
    found = api_error(pair.failure.error) if pair.failure.command and pair.fix.command else None
    if found is None:
        return None
    old, new = (_script(step.command) for step in (pair.failure, pair.fix))
    if not uses(found, old) or not new or uses(found, new):
        return None
    if similarity(tuple(old.split()), tuple(new.split())) < _SIMILAR and found.owner not in new:
        return None
    return _exchanged(found, _statements(old), _statements(new), pair.said)


def _script(command: str) -> str:
    return "\n".join(scripts_in(command))[:_COMPARED_CHARACTERS]


def _statements(script: str) -> Words:
    return tuple(text.strip() for text in _STATEMENT.findall(script) if text.strip())


def _exchanged(found: ApiError, old: Words, new: Words, said: str) -> Change | None:
    """Returns the part of the statement that has the name, and of the one that replaced it; else both whole."""
    for gone, came in blocks(old, new):
        before = next((text for text in gone if uses(found, text)), "")
        if not before:
            continue
        after = max(came, key=lambda text: _likeness(before, text), default="")
        part, other = inside(before, after, said)
        is_short = found.name in part and other != "" and max(len(part), len(other)) <= _LONGEST_PART
        if is_short and before.replace(part, other) == after:
            return Change("wrong-arguments", part, other)
        return Change("wrong-arguments", shortened(before), shortened(after))
    return None


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one[:_COMPARED], other[:_COMPARED]).ratio()
