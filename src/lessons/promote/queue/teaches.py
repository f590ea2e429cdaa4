"""Whether an agent that reads the lesson of a candidate could do something differently."""

from lessons.candidate import FAILURE, PROPOSED_BY_ERROR, WITHOUT_REMEDY
from lessons.promote.queue.candidate import Candidate

_SEVERAL_SESSIONS = 2


def teaches(candidate: Candidate, is_fixed: bool) -> bool:
    """A failed call teaches something only with a remedy that its error did not already give.

    Agents read the error: once, what it says is enough. If the same comes back in another session, it was not.
    `is_fixed` tells whether a fix followed it once.
    """
    if candidate.tier != FAILURE or candidate.fault or (candidate.worded and candidate.worded.worth_a_lesson):
        return True
    comes_back = candidate.session_count >= _SEVERAL_SESSIONS
    if candidate.solution.startswith(PROPOSED_BY_ERROR):
        return comes_back
    if candidate.solution.startswith(WITHOUT_REMEDY):
        return False
    return comes_back or is_fixed
