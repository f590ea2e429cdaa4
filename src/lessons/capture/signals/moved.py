"""Finds an option that stands before an argument in the call that worked, and behind it in the failed one."""

from itertools import pairwise

from lessons.capture.signals.difference import Words
from lessons.capture.signals.pair import Pair
from lessons.episode import Change
from lessons.shell.named import is_named


def change(pair: Pair) -> Change | None:
    """Detects `lamp run hall --dim` → `lamp run --dim hall`, if the error names the option and no word is left out."""
    before, after = pair.before.words, pair.after.words
    if pair.kind in (None, "quoting") or not before or not after or before[0] != after[0]:
        return None
    if any(word not in after for word in before):
        return None
    for place, option in enumerate(before):
        is_named_option = option[:1] == "-" and option.strip("-") and is_named(option, pair.error)
        if is_named_option and (argument := _passed(before[:place], option, after)):
            return Change("wrong-flag", f"{argument} {option}", f"{option} {argument}")
    return None


def _passed(words: Words, option: str, after: Words) -> str:
    """Returns the first argument that the option comes before now; the value of another option is none."""
    behind = after[after.index(option) + 1 :]
    kept = set(pairwise(after))
    for previous, word in pairwise(words):
        is_value = previous[:1] == "-" and (previous, word) in kept
        if word[:1] != "-" and word in behind and after.count(word) == 1 and not is_value:
            return word
    return ""
