"""Changes lessons.json and records the decisions: both or neither, even if interrupted."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from lessons import paths
from lessons.errors import LessonsError, NotFound
from lessons.promote.queue import queue
from lessons.store import decisions, lesson_file, unfinished
from lessons.store.history.history import History
from lessons.store.lock import locked
from lessons.store.unfinished import Unfinished

Result = TypeVar("Result")


@contextmanager
def deciding(home: str) -> Iterator[None]:
    """Locks the decisions; finishes an interrupted earlier decision first."""
    with locked(paths.decisions_file(home)):
        if unfinished.exists(home):
            _finish(home)
        yield


def settle(home: str) -> None:
    """Finishes an interrupted decision; cheap if there is none."""
    if unfinished.exists(home):
        with deciding(home):
            pass


def carry_out(home: str, plan: Unfinished, change: Callable[[], Result]) -> Result:
    """Inside `deciding`: records the plan, changes lessons.json, writes the decisions, updates the history.

    If killed before the change, nothing has happened. If killed after it, the next process finds the plan and finishes
    it.
    """
    unfinished.write(home, plan)
    try:
        result = change()
    except LessonsError:
        if not _is_done(home, plan):
            unfinished.remove(home)
            raise
        _write_down(home, plan)
        raise
    _write_down(home, plan)
    return result


def _finish(home: str) -> None:
    plan = unfinished.read(home)
    if plan is None or not _is_done(home, plan):
        unfinished.remove(home)
    else:
        _write_down(home, plan)


def _write_down(home: str, plan: Unfinished) -> None:
    decisions.append(home, plan.decisions)
    if tell_history(home):
        unfinished.remove(home)


def _is_done(home: str, plan: Unfinished) -> bool:
    """Whether lessons.json is as planned."""
    if not plan.lesson:
        return True
    try:
        record = lesson_file.read(home).find(plan.lesson)
    except NotFound:
        return not plan.evidence and not plan.state
    if plan.state:
        return unfinished.state_digest(record) == plan.state
    return bool(plan.evidence) and unfinished.evidence_digest(record) == plan.evidence


def tell_history(home: str) -> bool:
    """Sets the decided status of the candidates, and updates their file; returns False if the history is in use."""
    if not os.path.exists(paths.history_file(home)):
        return True
    try:
        with History.opened(home) as history:
            decisions.apply(history)
        queue.export(home)
    except LessonsError:
        return False
    return True
