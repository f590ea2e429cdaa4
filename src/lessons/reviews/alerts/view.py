"""The data that alerts use: one project and its data home, at one time."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

from lessons.alert import Alert
from lessons.errors import LessonsError
from lessons.opportunity import Opportunity
from lessons.session import SessionState
from lessons.store.history.history import History
from lessons.store.project_state import session_state
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import time_of

Value = TypeVar("Value")
_MOST_BITS = 64


class NoData(NamedTuple):
    """Not measured, with the reason."""

    reason: str


# An alert, not measured, or all well.
Finding: TypeAlias = Alert | NoData | None


class View:
    """Reads each thing at most once; opens the history only if an alert needs it."""

    def __init__(
        self,
        place: StatePaths,
        now: float,
        uncommitted: Callable[[str], int | None],
        hooked: Callable[[], dict[str, float]],
    ) -> None:
        self.place, self.home, self.now = place, place.home, now
        self.uncommitted = uncommitted  # files in a repository; None: unknown
        self.hooked = hooked  # agents whose settings have the hook -> when that file last changed

    @cached_property
    def latest_session(self) -> SessionState | None:
        return session_state.read_latest(self.place)

    @cached_property
    def waiting(self) -> int | None:
        """Candidates seen more than once; None if there is no history."""
        return self._of_history(lambda history: history.candidates.count_recurring())

    def last_record(self, agent: str, since: float) -> str:
        """Returns the time of the newest record in a session of the agent that began later; empty if there is none."""
        began = time_of(datetime.fromtimestamp(since, UTC))
        return self._of_history(lambda history: history.sessions.last_time(agent, began)) or ""

    @cached_property
    def opportunities(self) -> list[Opportunity]:
        return self._of_history(lambda history: history.ledger.opportunities()) or []

    def _of_history(self, ask: Callable[[History], Value]) -> Value | None:
        try:
            with History.for_reading(self.home) as history:
                return ask(history)
        except LessonsError:
            return None


def bucket(number: int, lessons: int = 1) -> str:
    """Returns the same for numbers of about the same size: a doubled number or one more lesson counts as new."""
    return f"{_MOST_BITS * (lessons - 1) + number.bit_length()}"


def and_more(lessons: int, what: str) -> str:
    """Ends a sentence about the worst lesson, with the number of others."""
    others = lessons - 1
    return f"; {others} more lesson{'s' * (others != 1)} {what}." if others else "."
