"""Copies of the same row from several files in, the one that is kept out: the same one in whatever order they come."""

from typing import NamedTuple

from lessons.store.history.rows import Origin
from lessons.store.history.sources import Source


class Rank(NamedTuple):
    """Where a row stands; the smallest is the original, and its file, session and place are kept."""

    copied: bool
    session_id: str
    path: str
    generation: int
    position: int
    block: int


def rank(origin: Origin, source: Source, block: int = 0) -> Rank:
    return Rank(origin.copied, origin.session_id, source.path, source.generation, origin.position, block)
