"""Finds whether the same characters were only quoted, escaped or separated differently, or read by another shell."""

import re

from lessons.capture.signals.difference import Words, blocks, shortened, similarity
from lessons.capture.signals.pair import Pair
from lessons.episode import Change

# Words of a line with their quotes; an unclosed quote is an ordinary character.
_WORD = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+|\S""", re.DOTALL)
SHELL = re.compile(r"(?:(?:ba|z|da|k|fi)?sh(?: -\w+)* -\w*c|(?:pwsh|powershell)(?: -\w+)* -(?:c|Command))")
_SHELL_AND_CODE = re.compile(SHELL.pattern + r"\s+(?=['\"])")
_COMPARED_CHARACTERS = 4096
_SIMILAR = 0.5


def change(pair: Pair) -> Change | None:
    if not pair.failure.command or pair.failure.command == pair.fix.command:
        return None
    same = pair.failed.signs == pair.fixed.signs
    if not same and pair.kind != "quoting":
        return None
    if not same and (other := _other_shell(pair) or _separated(pair)):
        return other
    before, after = _words(pair.failure.command), _words(pair.fix.command)
    found = [one for one in blocks(before, after) if one.gone and one.came]
    if not same:  # the text changed too: only the quotes around it count
        found = [one for one in found if _quotes(one.gone) != _quotes(one.came)]
    if not found or not (same or similarity(before, after) >= _SIMILAR):
        return None
    return Change("quoting", shortened(" ".join(found[0].gone)), shortened(" ".join(found[0].came)))


def _other_shell(pair: Pair) -> Change | None:
    """Detects the same line given to another shell: `for …; do …` → `bash -c 'for …; do …'`."""
    shell = _SHELL_AND_CODE.match(pair.fix.command)
    if shell is None or not pair.fixed.signs.endswith(pair.failed.signs):
        return None
    is_all = pair.fixed.signs == "".join(shell[0].split()) + pair.failed.signs
    return Change("wrong-command", "", " ".join(shell[0].split())) if is_all else None


def _separated(pair: Pair) -> Change | None:
    """Detects `for x in a do …` → `for x in a; do …`: the commands of the line end elsewhere."""
    before, after = _words(pair.failure.command), _words(pair.fix.command)
    if pair.failed.signs.replace(";", "") != pair.fixed.signs.replace(";", ""):
        return None
    different = (place for place, (one, other) in enumerate(zip(before, after, strict=False)) if one != other)
    first = next(different, None)
    if first is None:  # only the end differs
        return None
    old, new = (" ".join(words[first : first + 2]) for words in (before, after))
    return Change("quoting", shortened(old), shortened(new))


def _words(command: str) -> Words:
    return tuple(_WORD.findall(command[:_COMPARED_CHARACTERS]))


def _quotes(words: Words) -> set[str]:
    return {word[0] for word in words if word[0] in "'\"$"}
