"""A pair of one family in, which words of the call were replaced out."""

import re

from lessons.capture.signals.pair import Pair, Words, similarity
from lessons.episode import Change

# Numbers, ids and hashes say which one, not how.
_NUMBER = re.compile(r"#?(?:\d+|[0-9a-f]{7,64})")
_MOST = 4
_SIMILAR = 0.25
_SIMILAR_TEXT = 0.4
_LONG = 40


def change(pair: Pair) -> Change | None:
    """Other arguments of the same command; what has little in common is another piece of work."""
    if not pair.failure.command:
        different = pair.failure.arguments != pair.fix.arguments
        return Change("wrong-arguments") if different and pair.failure.tool == pair.fix.tool else None
    if pair.failure.command.split() == pair.fix.command.split():
        return None
    before, after = pair.words()
    if not before or not after or (similarity(before, after) < _SIMILAR and len(before) < _LONG):
        return None
    gone, came = _difference(before, after)
    if not gone and not came:  # inside of quotes, which the words leave out
        before, after = tuple(pair.failure.command.split()), tuple(pair.fix.command.split())
        gone, came = _difference(before, after)
        if similarity(before, after) < _SIMILAR_TEXT:
            return None
    if gone and came and all(_NUMBER.fullmatch(word) for word in (*gone, *came)):
        return None  # the same about another thing
    gone, came = gone[:_MOST], came[:_MOST]
    is_path = bool(gone) and bool(came) and all("/" in word for word in (*gone, *came))
    return Change("wrong-path" if is_path else "wrong-arguments", " ".join(gone), " ".join(came))


def _difference(before: Words, after: Words) -> tuple[list[str], list[str]]:
    """The words that went and those that came, in their order."""
    old, new = set(before), set(after)
    return [word for word in before if word not in new], [word for word in after if word not in old]
