"""Returns what the history records about the state of a past call: its folder, its project, and what its outcome shows.

A program that worked was installed, and one that a shell did not find was not. Nothing is known about files.
"""

from functools import cache

from lessons.match.known_state import KnownState
from lessons.shell.missing import missing_programs
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall, SessionCall


class RecordedState:
    """Creates the probe of each past call; None if not even its folder is certain."""

    def __init__(self, history: History) -> None:
        self._history = history
        # Computed per session when needed: few have a call that a rule may fire on.
        self._uncertain = cache(history.calls.in_a_message_with_cd)

    def __call__(self, past: PastCall | SessionCall) -> KnownState | None:
        if not past.cwd or past.tool_use_id in self._uncertain(past.session_id):
            return None
        return _PastState(past, self._history)


class _PastState(KnownState):
    """Reads the error of a call only when a program is looked up."""

    def __init__(self, past: PastCall | SessionCall, history: History) -> None:
        super().__init__({past.cwd: True}, root=past.project or None)
        self._past = past
        self._history = history

    def which(self, program: str) -> bool | None:
        if self._past.outcome == "ok" and not self._past.suspicious:
            return True if program == self._past.program else None
        return False if program in missing_programs(self._error()) else None

    def _error(self) -> str:
        if isinstance(self._past, PastCall):
            return self._past.error
        return "".join(row.error for row in self._history.calls.named([self._past.tool_use_id]))
