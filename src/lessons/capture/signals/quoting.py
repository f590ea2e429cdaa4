"""Finds whether the same characters were only quoted or escaped differently."""

import re

from lessons.capture.signals.difference import Words, blocks, shortened, similarity
from lessons.capture.signals.pair import Pair
from lessons.episode import Change

# Words of a line with their quotes; an unclosed quote is an ordinary character.
_WORD = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+|\S""", re.DOTALL)
_COMPARED_CHARACTERS = 4096
_SIMILAR = 0.5


def change(pair: Pair) -> Change | None:
    if not pair.failure.command or pair.failure.command == pair.fix.command:
        return None
    same = pair.failed.signs == pair.fixed.signs
    if not same and pair.kind != "quoting":
        return None
    before, after = _words(pair.failure.command), _words(pair.fix.command)
    found = [one for one in blocks(before, after) if one.gone and one.came]
    if not same:  # the text changed too: only the quotes around it count
        found = [one for one in found if _quotes(one.gone) != _quotes(one.came)]
    if not found or not (same or similarity(before, after) >= _SIMILAR):
        return None
    return Change("quoting", shortened(" ".join(found[0].gone)), shortened(" ".join(found[0].came)))


def _words(command: str) -> Words:
    return tuple(_WORD.findall(command[:_COMPARED_CHARACTERS]))


def _quotes(words: Words) -> set[str]:
    return {word[0] for word in words if word[0] in "'\"$"}
