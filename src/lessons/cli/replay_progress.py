"""The progress bar of a replay: sessions and time left; nothing without a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def watching(wanted: bool) -> Iterator[Callable[[int, int], None]]:
    """On stderr, so that a pipe gets only the result; removed when the replay ends."""
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("Replaying"),
        bars.BarColumn(bar_width=None),
        bars.MofNCompleteColumn(),
        bars.TextColumn("sessions"),
        bars.TimeRemainingColumn(compact=True),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, visible=False)

        def watch(done: int, total: int) -> None:
            bar.update(task, total=total, completed=done, visible=True)

        yield watch
