"""A pair in, whether another program did what the first could not out."""

from lessons.capture.signals.pair import Pair
from lessons.episode import Change

_SHARED = 0.5


def change(pair: Pair) -> Change | None:
    """`python x.py` → `python3 x.py`: another program, the same words behind it."""
    before, after = pair.words()
    if not before or not after or before[0] == after[0]:
        return None
    rest, others = set(before[1:]), set(after[1:])
    if rest or others:
        alike = len(rest & others) / len(rest | others) >= _SHARED
    else:
        alike = before[0].rstrip("0123456789.") == after[0].rstrip("0123456789.")
    return Change("wrong-command", before[0], after[0]) if alike else None
