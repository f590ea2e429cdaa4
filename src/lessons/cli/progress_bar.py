"""Shows a progress bar with the number done, the total and the time left; nothing without a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def watching(wanted: bool, verb: str = "Replaying", unit: str = "sessions") -> Iterator[Callable[[int, int], None]]:
    """Draws on stderr, so that a pipe gets only the result; removes the bar at the end."""
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn(verb),
        bars.BarColumn(bar_width=None),
        bars.MofNCompleteColumn(),
        bars.TextColumn(unit),
        bars.TimeRemainingColumn(compact=True),
    )
    bar = bars.Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=None)

    def watch(done: int, total: int) -> None:
        if done < total:  # work that is done at once needs no bar
            bar.start()
        bar.update(task, total=total, completed=done)

    try:
        yield watch
    finally:
        if bar.live.is_started:
            bar.stop()
