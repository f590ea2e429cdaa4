"""Decides which copy of a row is its original: the same one for any order of reading."""

from typing import NamedTuple

from lessons.store.history.rows import Origin
from lessons.store.history.sources import Source


class Rank(NamedTuple):
    """Where a row was read; the smallest is the original, whose file, session and position are stored."""

    copied: bool
    session_id: str
    path: str
    generation: int
    position: int
    block: int


def rank(origin: Origin, source: Source, block: int = 0) -> Rank:
    return Rank(origin.copied, origin.session_id, source.path, source.generation, origin.position, block)
