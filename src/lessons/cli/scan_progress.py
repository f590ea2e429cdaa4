"""Shows the progress of a scan: bytes, speed and time left; nothing without a terminal."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from lessons.capture.request import Progress, Watch

_SECONDS_BETWEEN_DRAWINGS = 0.1


@contextmanager
def watching(wanted: bool) -> Iterator[Watch]:
    """Draws on stderr, so that a pipe gets only the result; removes the bar when the scan ends."""
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("Reading"),
        bars.BarColumn(bar_width=None),
        bars.DownloadColumn(),
        bars.TransferSpeedColumn(),
        bars.TimeRemainingColumn(compact=True),
    )
    # Drawn whenever something was read, not by a thread: a process with threads cannot be copied for its workers.
    with bars.Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=None, visible=False)
        drawn = 0.0

        def watch(now: Progress) -> None:
            nonlocal drawn
            bar.update(task, total=now.total, completed=now.done, visible=True)
            if time.monotonic() - drawn >= _SECONDS_BETWEEN_DRAWINGS:
                drawn = time.monotonic()
                bar.refresh()

        yield watch
