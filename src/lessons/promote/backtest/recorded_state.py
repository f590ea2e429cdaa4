"""What the history knows about the state a past call ran in: its folder and its project, and nothing about files."""

from lessons.match.known_state import KnownState
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall, SessionCall


class RecordedState:
    """Makes the probe of each past call; None where not even its folder is certain."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._uncertain: frozenset[str] | None = None

    def __call__(self, past: PastCall | SessionCall) -> KnownState | None:
        if self._uncertain is None:
            self._uncertain = self._history.calls.in_a_message_with_cd()
        if not past.cwd or past.tool_use_id in self._uncertain:
            return None
        return KnownState({past.cwd: True}, root=past.project or None)
