"""Finds the failed calls of a thread: each with its weight, the call that fixed it and what it cost."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from lessons.episode import Step
from lessons.failure.fingerprint import signature
from lessons.failure.telling_line import telling_line
from lessons.mistakes.fix import fix_of
from lessons.mistakes.kinds import is_named, kind_of_mistake
from lessons.mistakes.steps import programs
from lessons.mistakes.weight import weigh
from lessons.store.history.episodes import EpisodeRow

_LONGEST_CALL, _LONGEST_PAUSE = 600.0, 60.0  # seconds: whoever returns later did something else meanwhile
_DIGITS = 4  # of a weight: as many as tell anything


def failures(thread: Sequence[Step], places: Iterable[int]) -> Iterator[int]:
    """Yields those of the places with a failed call."""
    return (place for place in places if thread[place].outcome == "failed")


def episode_at(session_id: str, thread: Sequence[Step], place: int, window: int) -> EpisodeRow:
    """Describes the failed call at this place; `window` is how many calls after it may be its fix."""
    failure = thread[place]
    found = fix_of(thread, place, window)
    fix = None if found is None else thread[found]
    lost = 1 if found is None else found - place
    return EpisodeRow(
        failure.tool_use_id,
        session_id,
        kind_of_mistake(failure, fix),
        blamed(failure),
        signature(failure.error),
        fix.tool_use_id if fix else "",
        round(weigh(thread, place), _DIGITS),
        lost,
        _seconds(failure, fix, lost),
    )


def blamed(step: Step) -> str:
    """Returns the program of the line that the error names, else the one that does the work; or the tool."""
    if not step.command:
        return step.tool
    line, names = telling_line(step.error), programs(step)
    own = step.program or (names[-1] if names else step.tool)
    return next((name for text in (line, step.error) for name in (own, *names) if is_named(name, text)), own)


def _seconds(failure: Step, fix: Step | None, calls: int) -> float:
    """Returns the time of the failed call plus the time to the one that worked, without pauses."""
    lost = min(_between(failure.time, failure.ended), _LONGEST_CALL)
    if fix:
        lost += min(_between(failure.ended or failure.time, fix.time), _LONGEST_PAUSE * calls)
    return round(lost, 1)


def _between(one: str, other: str) -> float:
    try:
        return max(0.0, (datetime.fromisoformat(other) - datetime.fromisoformat(one)).total_seconds())
    except (ValueError, TypeError):
        return 0.0
