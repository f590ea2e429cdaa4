"""What a watcher reports to a terminal, a pipe or a log."""

from typing import Protocol

from lessons.watch.tick import TickResult


class Listener(Protocol):
    """Showing any of it is optional; no method may raise."""

    def ticked(self, result: TickResult, active: int, queued: int, now: float) -> None:
        """Something was read or mined, or the number of active sessions changed."""

    def problem(self, sentence: str) -> None:
        """Something is wrong; the watcher continues."""


class Silent:
    """Shows nothing."""

    def ticked(self, result: TickResult, active: int, queued: int, now: float) -> None:
        pass

    def problem(self, sentence: str) -> None:
        pass
