"""Shows a progress bar for a build that compiles many lessons; nothing without a terminal."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from lessons.promote.publish.assemble import Watch

# This many compile before a user wonders.
_FEW_LESSONS = 500


@contextmanager
def watching(wanted: bool) -> Iterator[Watch]:
    """Draws on stderr, so that a pipe gets only the result; removes the bar when the build ends."""
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    with ExitStack() as open_bars:
        show: Watch | None = None

        def watch(done: int, total: int) -> None:
            nonlocal show
            if show is None and total > _FEW_LESSONS:
                show = _bar(open_bars)
            if show is not None:
                show(done, total)

        yield watch


def _bar(open_bars: ExitStack) -> Watch:
    """Opens the bar only if needed: even a bar that shows nothing writes to the terminal."""
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("Compiling lessons"),
        bars.BarColumn(bar_width=None),
        bars.MofNCompleteColumn(),
        bars.TimeRemainingColumn(compact=True),
    )
    bar = open_bars.enter_context(bars.Progress(*columns, console=Console(stderr=True), transient=True))
    task = bar.add_task("")
    return lambda done, total: bar.update(task, total=total, completed=done)
