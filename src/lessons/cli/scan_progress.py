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
        bars.TextColumn("{task.description}"),
        bars.BarColumn(bar_width=None),
        bars.DownloadColumn(),
        bars.TransferSpeedColumn(),
        bars.TimeRemainingColumn(compact=True),
    )
    # Drawn whenever something was read, not by a thread: a process with threads cannot be copied for its workers.
    with bars.Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=None, visible=False)
        drawn, step = 0.0, ""

        def watch(now: Progress) -> None:
            nonlocal drawn, step
            bar.update(task, description=now.step, total=now.total, completed=now.done, visible=True)
            # The next step may take a while before it reports again: its name must be there at once.
            if now.step != step or time.monotonic() - drawn >= _SECONDS_BETWEEN_DRAWINGS:
                drawn, step = time.monotonic(), now.step
                bar.refresh()

        yield watch


@contextmanager
def named(wanted: bool, step: str) -> Iterator[None]:
    """Names a step that cannot tell how far it is; removes the line at its end."""
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(step):
        yield
