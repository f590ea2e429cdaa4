"""Finds whether another sub-command or script of the same program worked."""

import re
from difflib import SequenceMatcher

from lessons.capture.signals.difference import Words, blocks, shown
from lessons.capture.signals.pair import Pair
from lessons.episode import Change
from lessons.shell.named import is_named

_MOST_NEW_WORDS = 2
_END_OF_OPTIONS = "--"
_ALIKE = 0.5
_COMPARED = 80  # characters of a name


def change(pair: Pair) -> Change | None:
    """Detects `npm run typecheck` → `npm run type-check`, if the error says that there is no such name."""
    before, after = pair.before, pair.after
    if pair.kind is None or before.program != after.program or len(before.words) == 1:
        return None
    if pair.folder != pair.fixed_folder or before.folders != after.folders:
        return None  # it may exist in the other folder
    found = blocks(before.words, after.words)
    if len(found) != 1:
        return None
    if pair.kind == "wrong-command" and not found[0].gone:
        return _inserted(pair, found[0].came)
    came = found[0].came[:-1] if found[0].came[-1:] == (_END_OF_OPTIONS,) else found[0].came
    if len(found[0].gone) != 1 or not 0 < len(came) <= _MOST_NEW_WORDS:
        return None
    return _exchanged(pair, found[0].gone[0], came)


def _exchanged(pair: Pair, gone: str, came: Words) -> Change | None:
    if gone.startswith("-"):
        return None
    if is_named(f"{pair.before.program} {gone}", pair.error) and is_named(came[0], pair.error):
        return Change("wrong-command", gone, shown(came))  # the error names both
    if pair.kind != "wrong-command" or not is_named(gone, pair.said):
        return None
    alike = (
        _is_part(gone, came[-1])
        or SequenceMatcher(None, gone[:_COMPARED], " ".join(came)[:_COMPARED]).ratio() >= _ALIKE
    )
    return Change("wrong-command", gone, shown(came)) if alike or is_named(came[0], pair.error) else None


def _is_part(name: str, other: str) -> bool:
    """Whether the name is a part, as `test` of `test:unit`."""
    return name in re.split(r"[^\w]", other)


def _inserted(pair: Pair, came: Words) -> Change | None:
    """Detects `shop src` → `shop check src`: the word taken for a sub-command is not one."""
    name, first = pair.before.words[:2]
    if len(came) > _MOST_NEW_WORDS or any(word.startswith("-") for word in came) or not is_named(first, pair.said):
        return None
    is_first = pair.after.words[1 : 1 + len(came)] == came
    return Change("wrong-command", name, f"{name} {shown(came)}") if is_first else None
