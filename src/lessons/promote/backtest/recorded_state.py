"""What the history knows about the state a past call ran in: its folder, its project and what its outcome tells.

A program that worked was there, and one that a shell did not find was not. Nothing is known about files.
"""

from lessons.match.known_state import KnownState
from lessons.shell.missing import missing_programs
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall


class RecordedState:
    """Makes the probe of each past call; None where not even its folder is certain."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._uncertain: frozenset[str] | None = None

    def __call__(self, past: PastCall) -> KnownState | None:
        if self._uncertain is None:
            self._uncertain = self._history.calls.in_a_message_with_cd()
        if not past.cwd or past.tool_use_id in self._uncertain:
            return None
        return KnownState({past.cwd: True}, _programs(past), past.project or None)


def _programs(past: PastCall) -> dict[str, bool]:
    if past.outcome == "ok" and not past.suspicious:
        return {past.program: True} if past.program else {}
    return dict.fromkeys(missing_programs(past.error), False)
