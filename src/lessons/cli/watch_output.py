"""Shows what the watcher does: live on a terminal, as plain lines in a pipe."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lessons.cli import render
from lessons.watch.listener import Listener
from lessons.watch.tick import TickResult
from lessons.watch.view import View

if TYPE_CHECKING:
    from rich.live import Live


class Lines:
    """Prints one line per event."""

    def __init__(self) -> None:
        self.view = View()

    def ticked(self, result: TickResult, active: int, queued: int, now: float) -> None:
        for line in self.view.ticked(result, active, queued, now):
            render.say(line)
        if sys.stdout:
            sys.stdout.flush()

    def problem(self, sentence: str) -> None:
        render.note(self.view.problem(sentence, time.time()))


class Screen:
    """Shows the same on a screen that is redrawn."""

    def __init__(self, live: "Live") -> None:
        self.view = View()
        self.live = live
        self.draw()

    def ticked(self, result: TickResult, active: int, queued: int, now: float) -> None:
        self.view.ticked(result, active, queued, now)
        self.draw()

    def problem(self, sentence: str) -> None:
        self.view.problem(sentence, time.time())
        self.draw()

    def draw(self) -> None:
        from rich.text import Text

        lines = self.view.screen(self.live.console.width)
        self.live.update(Text("\n".join(map(render.printable, lines))), refresh=True)


@contextmanager
def listening() -> Iterator[Listener]:
    if not render.is_terminal():
        yield Lines()
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(), auto_refresh=False, transient=False) as live:
        yield Screen(live)
