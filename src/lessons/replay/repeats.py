"""The failed calls that repeat a mistake of another session."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lessons.candidate import PROTOCOL, StoredCandidate
from lessons.store.history.sessions import SessionSpan


class Failure(NamedTuple):
    """A failed call that made a mistake; calls with the same mistake have the same name."""

    time: str
    tool_use_id: str
    session_id: str
    mistake: str
    place: str = ""  # a mistake made elsewhere is not repeated here


class Repeat(NamedTuple):
    """A failed call whose mistake was made in another session before."""

    tool_use_id: str
    mistake: str
    is_learnable: bool  # another session with it had ended before this one started


def failures_of(candidates: Iterable[StoredCandidate]) -> list[Failure]:
    """Returns the mistakes of the queue, without the agent's own tool rules."""
    return [
        Failure(each.time, each.tool_use_id, each.session_id, candidate.fingerprint)
        for candidate in candidates
        if candidate.kind != PROTOCOL
        for each in candidate.evidence
    ]


def repeats_in(failures: Iterable[Failure], sessions: Mapping[str, SessionSpan]) -> dict[str, list[Repeat]]:
    """Returns repeats by session; skips failures of sessions with unknown times."""
    found: dict[str, list[Repeat]] = {}
    before: dict[tuple[str, str], _Earlier] = {}
    for failure in sorted(failure for failure in failures if failure.session_id in sessions):
        own = sessions[failure.session_id]
        earlier = before.setdefault((failure.mistake, failure.place), _Earlier())
        end = earlier.first_end_besides(own.session_id)
        if end is not None:
            repeat = Repeat(failure.tool_use_id, failure.mistake, end < own.start)
            found.setdefault(own.session_id, []).append(repeat)
        earlier.add(own)
    return found


class _Earlier:
    """The two sessions with a mistake that ended first: at least one differs from the session of any failure."""

    def __init__(self) -> None:
        self._first: list[tuple[str, str]] = []

    def add(self, session: SessionSpan) -> None:
        self._first = sorted({*self._first, (session.end, session.session_id)})[:2]

    def first_end_besides(self, session_id: str) -> str | None:
        return next((end for end, name in self._first if name != session_id), None)
