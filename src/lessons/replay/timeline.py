"""The times at which sessions start and end, in order."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from lessons.store.history.sessions import SessionSpan


class Moment(NamedTuple):
    what: Literal["start", "end"]
    session: SessionSpan


def moments(sessions: Sequence[SessionSpan]) -> Iterator[Moment]:
    """A session has ended before another starts only if its last record is earlier; sessions may overlap."""
    ending = iter(sorted(sessions, key=lambda each: (each.end, each.session_id)))
    upcoming = next(ending, None)
    for session in sorted(sessions, key=lambda each: (each.start, each.session_id)):
        while upcoming and upcoming.end < session.start:
            yield Moment("end", upcoming)
            upcoming = next(ending, None)
        yield Moment("start", session)
    while upcoming:
        yield Moment("end", upcoming)
        upcoming = next(ending, None)
