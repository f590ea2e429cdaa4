"""Decides whether a regex can be too slow, and on which kind of text."""

import re

from lessons.promote.slow_regex import memory, probe_child
from lessons.promote.slow_regex.trial import can_interrupt, impatient_clock, judge

LIMIT_SECONDS = 0.05


def find_danger(source: str, flags: int, limit_seconds: float = LIMIT_SECONDS) -> str | None:
    """Returns None if the regex stays fast on hostile texts, else the kind of text on which it does not."""
    return find_dangers([(source, flags)], limit_seconds)[0]


def find_dangers(patterns: list[tuple[str, int]], limit_seconds: float = LIMIT_SECONDS) -> list[str | None]:
    """Returns the same for many regexes, in order; does not test earlier ones again."""
    keys = [memory.key_of(source, flags, limit_seconds) for source, flags in patterns]
    new = {key: pattern for key, pattern in zip(keys, patterns, strict=True) if memory.known(key) is None}
    for key, verdict in zip(new, _judged(list(new.values()), limit_seconds), strict=True):
        memory.note(key, verdict or "")
    return [memory.known(key) or None for key in keys]


def _judged(patterns: list[tuple[str, int]], limit_seconds: float) -> list[str | None]:
    if not patterns:
        return []
    if can_interrupt():
        with impatient_clock(limit_seconds) as clock:
            return [judge(source, flags, limit_seconds, clock) for source, flags in patterns]
    for source, flags in patterns:
        re.compile(source, flags)  # reports an invalid regex here, not in the child
    return probe_child.probe(patterns, limit_seconds)
