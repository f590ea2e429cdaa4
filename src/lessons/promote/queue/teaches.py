"""Whether an agent that reads the lesson of a candidate could do something differently."""

from lessons.candidate import FAILURE
from lessons.promote.queue.candidate import Candidate

_SEVERAL_SESSIONS = 2


def teaches(candidate: Candidate, is_fixed: bool) -> bool:
    """A failed call teaches something if a fix followed it once, or if it comes back.

    Agents read the error: once, what it says is enough. If the same comes back in another session, it was not.
    """
    if candidate.tier != FAILURE or candidate.fault or (candidate.worded and candidate.worded.worth_a_lesson):
        return True
    return is_fixed or candidate.session_count >= _SEVERAL_SESSIONS
