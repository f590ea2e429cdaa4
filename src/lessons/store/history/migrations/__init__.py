"""The steps by which the history got its tables, in order; a step that was published is never changed."""

from lessons.store.history.migrations import m001_history

STEPS: tuple[str, ...] = (m001_history.SQL,)
