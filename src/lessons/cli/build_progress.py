"""The progress bar of a build that compiles many lessons; nothing without a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lessons.promote.publish.assemble import Watch

# So many are compiled before a person wonders.
_FEW_LESSONS = 500


@contextmanager
def watching(wanted: bool) -> Iterator[Watch]:
    """On stderr, so that a pipe gets only the result; removed when the build ends."""
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("Compiling lessons"),
        bars.BarColumn(bar_width=None),
        bars.MofNCompleteColumn(),
        bars.TimeRemainingColumn(compact=True),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, visible=False)

        def watch(done: int, total: int) -> None:
            if total > _FEW_LESSONS:
                bar.update(task, total=total, completed=done, visible=True)

        yield watch
