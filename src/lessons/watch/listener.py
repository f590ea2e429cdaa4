"""What a watcher reports to a terminal, a pipe or a log."""

from typing import Protocol

from lessons.watch.tick import Told


class Listener(Protocol):
    """All of it is optional to show; nothing of it may raise."""

    def ticked(self, told: Told, active: int, queued: int, now: float) -> None:
        """Something was read or mined, or the number of active sessions changed."""

    def problem(self, sentence: str) -> None:
        """Something is wrong; the watcher goes on."""


class Silent:
    """Nobody looks on."""

    def ticked(self, told: Told, active: int, queued: int, now: float) -> None:
        pass

    def problem(self, sentence: str) -> None:
        pass
