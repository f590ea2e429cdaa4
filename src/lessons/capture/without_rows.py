"""Replaces a batch that cannot be stored by one that records the read range but no rows."""

import msgspec

from lessons.capture.memory import Memory
from lessons.store.history.rows import Batch


def without_rows(part: Batch, reason: str) -> Batch:
    """Returns the same range marked as read, with nothing stored."""
    number = msgspec.json.decode(part.memory, type=Memory).segment
    return Batch(
        start=part.start,
        end=part.end,
        head=part.head,
        tail=part.tail,
        memory=part.memory,
        state=part.state,
        modified=part.modified,
        failed=[(number, reason)],
        segments=part.segments,
    )
