"""Estimates the minutes that a lesson will save, by which its candidate is ranked."""

import math

# A failed call costs about this much of a session, in addition to the measured time.
_MINUTES_PER_CALL = 0.5
# A late fix may belong to something else: more than this per occurrence is ignored.
_MOST_MINUTES = 3.0
_MOST_CALLS = 3.0
# Nothing was measured for a tag or a correction, but someone found it worth a sentence.
_CALLS_UNMEASURED = 2.0


def expected_saving(
    *,
    confidence: float,
    occurrences: int,
    sessions: int,
    projects: int,
    calls_lost: int = 0,
    minutes_lost: float = 0.0,
) -> float:
    """Returns the confidence times how often it comes back times the cost of one occurrence."""
    if occurrences <= 0:
        return 0.0
    calls = min(calls_lost / occurrences, _MOST_CALLS) if calls_lost > 0 else _CALLS_UNMEASURED
    minutes = min(max(0.0, minutes_lost) / occurrences, _MOST_MINUTES)
    # Many times in one session is one bad hour; other sessions and projects show that it comes back.
    comes_back = sessions + projects - 1 + math.log2(occurrences / sessions if sessions else 1)
    return confidence * max(1.0, comes_back) * (_MINUTES_PER_CALL * calls + minutes)
