"""Checks a lesson that a person wrote against the history: warnings only."""

import os

from lessons import config, paths
from lessons.errors import LessonsError
from lessons.model import Lesson, lesson_from_document
from lessons.store.history.history import History


def warnings_from_history(home: str, record: dict[str, object]) -> list[str]:
    """Returns one sentence per problem; nothing without a usable history."""
    if not os.path.exists(paths.history_file(home)):
        return []
    try:
        with History.for_reading(home) as history:
            return _warnings(history, config.load(home).max_trigger_share, lesson_from_document(record))
    except LessonsError:
        return []


def _warnings(history: History, most: float, lesson: Lesson) -> list[str]:
    # Imported late: not needed without a history.
    from lessons.promote.backtest import guard
    from lessons.promote.promotion.draft import report_of

    report = report_of(history, lesson)
    effect: guard.Effect = "block" if lesson.block else "stopOnce" if lesson.stop_once else "hint"
    against = guard.objections(effect, report) if report else []
    return [*guard.too_broad(report, history.calls.count(guard.calls_to_count(report, most)), most), *against]
