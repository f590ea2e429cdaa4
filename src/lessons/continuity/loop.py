"""One note for the agent when the same error has come three times within a short while."""

from lessons.failure.repeated import repeated_form, telling_lines
from lessons.store.claims import failures

_TIMES = 3
_QUOTED = 200
_NUMBERS = ("", "once", "twice", "three times", "four times", "five times")


def note(home: str, session: str, agent_id: str, error: str, now: float) -> str:
    """What the agent is told after this failure; nothing most of the time, and once for each error that comes again.

    Each context counts for itself: what a subagent meets is none of its session's, nor of another subagent's.
    """
    normal = repeated_form(error)
    if not session or not normal:
        return ""
    count = failures.noted(home, session, agent_id, normal, now)
    if count < _TIMES or not failures.claim(home, session, agent_id, normal):
        return ""
    began = failures.began(home, session, agent_id, normal, now)
    return words(error, count, max(1, round((now - began) / 60)))


def words(error: str, count: int, minutes: int) -> str:
    """The note itself; what was done in between nobody here knows."""
    often = _NUMBERS[count] if count < len(_NUMBERS) else f"{count} times"
    told = (telling_lines(error) or [""])[0].strip()[:_QUOTED]
    text = f"The same error has come {often} in {minutes} minute{'' if minutes == 1 else 's'}: {told}"
    return text + "\nAnother cause or another way is likelier to help than one more try."
