"""Computes at the end of a scan what a user would otherwise wait for: triggers, back-tests, starter lessons."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain

from lessons import config
from lessons.config import Config
from lessons.errors import Refused
from lessons.model import Lesson
from lessons.promote.backtest.matching import store_hits
from lessons.promote.backtest.rule import compiled
from lessons.promote.intake import rivals
from lessons.promote.promotion.draft import Choice, Tested, draft, fires_at_calls, tried_triggers
from lessons.promote.queue import queue
from lessons.promote.queue.candidate import Candidate
from lessons.promote.queue.clusters import clusters
from lessons.promote.starter_matches import store_matches
from lessons.store.history.history import History

# The first screens of a review are prepared before anything else.
_FIRST_SCREENS = 3
_SCREENS = 10


def prepare(home: str, seconds: float) -> None:
    """Stores what is missing or stale, in the order in which it is shown, for about this long."""
    until = time.monotonic() + seconds
    # Not opened read-only: the last process to close a history cleans up its files.
    with History.opened(home) as history:
        settings = config.load(home)
        waiting = queue.waiting(history, settings)
        screens = clusters([each.candidate for each in queue.chosen(waiting, everything=False)])[:_SCREENS]
        for _ in chain(
            _back_tests(history, settings, screens[:_FIRST_SCREENS]),
            queue.refreshed(history, waiting),
            store_matches(home, history),
            _back_tests(history, settings, screens[_FIRST_SCREENS:]),
        ):
            if time.monotonic() > until:
                break
        with history.transaction():
            history.trigger_hits.prune()


def _back_tests(history: History, settings: Config, screens: Sequence[list[Candidate]]) -> Iterator[None]:
    """Stores on which calls the lesson of each screen would fire."""
    known = rivals.read(history.home)
    for first, *alike in screens:
        queue.put_triggers(history, [first])
        draft(history, settings, first, Choice(), known, alike, test=_stored)
        yield


def _stored(history: History, settings: Config, lesson: Lesson, failed: Sequence[str]) -> Tested:
    if fires_at_calls(lesson):
        with suppress(Refused):  # publishing would leave it out, so there is nothing to test
            store_hits(history, compiled(tried_triggers(lesson), lesson.scope, lesson.block or lesson.stop_once).rule)
    return Tested(None, [])
