"""A pair in, whether the same command worked after the line prepared its surroundings out."""

from lessons.capture.signals.pair import Pair
from lessons.episode import Change


def change(pair: Pair) -> Change | None:
    """`python x.py` → `source .venv/bin/activate && python x.py`."""
    before, after = pair.words()
    if not before or before != after:
        return None
    came = [text for text in pair.fixed.prepared if text not in pair.failed.prepared]
    return Change("order-of-steps", "", came[0]) if came else None
