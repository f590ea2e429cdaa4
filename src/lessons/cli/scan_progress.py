"""Shows the progress of a scan: bytes, speed and time left; nothing without a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lessons.capture.request import Progress, Watch


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
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, visible=False)

        def watch(now: Progress) -> None:
            bar.update(task, total=now.total, completed=now.done, visible=True)

        yield watch
