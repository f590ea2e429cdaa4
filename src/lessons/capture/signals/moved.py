"""Finds an option that stands before an argument in the call that worked, and behind it in the failed one."""

from lessons.capture.signals.difference import Words
from lessons.capture.signals.pair import Pair
from lessons.episode import Change
from lessons.shell.named import is_named


def change(pair: Pair) -> Change | None:
    """Detects `lamp run hall --dim` → `lamp run --dim hall`: options may be added, but no word is left out."""
    before, after = pair.before.words, pair.after.words
    if pair.kind in (None, "quoting") or not before or not after or before[0] != after[0]:
        return None
    if any(word not in after for word in before):
        return None
    is_all = sorted(before) == sorted(after)
    for place, option in enumerate(before):
        argument = _passed(before[1:place], option, after) if option[:1] == "-" and option.strip("-") else ""
        if argument and (is_all or is_named(option, pair.error)):
            return Change("wrong-flag", f"{argument} {option}", f"{option} {argument}")
    return None


def _passed(arguments: Words, option: str, after: Words) -> str:
    """Returns the first of these arguments that the option comes before."""
    behind = after[after.index(option) + 1 :]
    return next((word for word in arguments if word[:1] != "-" and word in behind and after.count(word) == 1), "")
