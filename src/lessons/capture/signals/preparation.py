"""Finds whether the same command worked after the line prepared its environment."""

from lessons.capture.signals.difference import shortened
from lessons.capture.signals.pair import Pair
from lessons.episode import Change


def change(pair: Pair) -> Change | None:
    """Detects `python x.py` → `source .venv/bin/activate && python x.py`."""
    if not pair.before.words or pair.before.words != pair.after.words:
        return None
    gone = [text for text in pair.failed.prepared if text not in pair.fixed.prepared]
    came = [text for text in pair.fixed.prepared if text not in pair.failed.prepared]
    if gone and came and gone[0].split()[0] == came[0].split()[0]:
        return Change("wrong-arguments", shortened(gone[0]), shortened(came[0]))
    return Change("order-of-steps", "", shortened(came[0])) if came else None
