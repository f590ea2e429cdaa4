"""Computes what the lessons of a data home did, for `lessons stats`, the report and the weekly line."""

import os

import msgspec

from lessons import paths
from lessons.ledger.acts_as import acts_as
from lessons.ledger.mistakes import sessions_learned_from
from lessons.ledger.update import lessons_of
from lessons.model import Lesson
from lessons.opportunity import Opportunity
from lessons.prove.effect import Effect, effect_of
from lessons.prove.measure import measured
from lessons.prove.tally import Tally, Week, by_week, tally
from lessons.store import injection_files
from lessons.store.history.history import History

MOST_WEEKS = 12


class LessonStats(msgspec.Struct, frozen=True):
    lesson: Lesson
    tally: Tally
    effect: Effect
    weeks: list[Week]
    opportunities: list[Opportunity]

    @property
    def slug(self) -> str:
        return self.lesson.slug


class Stats(msgspec.Struct, frozen=True):
    """What all lessons did, those that did most first; skips lessons that never matched."""

    since: str
    totals: Tally
    lessons: list[LessonStats]
    weeks: list[Week]
    is_scanned: bool = True  # False: there is no history yet
    uncounted: int = 0  # events that the hook logged since the last scan


def stats_of(home: str, lesson: str = "", since: str = "") -> Stats:
    """Reports on one lesson by its id, or on all; `since` limits the counts, the effect covers everything."""
    uncounted = injection_files.count_new(home)
    if not os.path.exists(paths.history_file(home)):
        return Stats(since, Tally(), [], [], is_scanned=False, uncounted=uncounted)
    with History.for_reading(home) as history:
        return _stats(history, lesson, since, uncounted)


def _stats(history: History, lesson: str, since: str, uncounted: int) -> Stats:
    rows: dict[str, list[Opportunity]] = {}
    for each in history.ledger.opportunities(lesson):
        rows.setdefault(each.lesson, []).append(each)
    lessons = [each for each in lessons_of(history.home) if each.id in rows]
    learned = sessions_learned_from(history, lessons)
    found = [_of_lesson(each, rows[each.id], learned[each.id], since) for each in lessons]
    counted = [each for one in found for each in one.opportunities if each.time >= since]
    found.sort(key=lambda one: (-one.tally.prevented, -one.tally.shown, -one.tally.opportunities, one.slug))
    return Stats(since, tally(counted), found, by_week(counted, MOST_WEEKS), uncounted=uncounted)


def _of_lesson(lesson: Lesson, rows: list[Opportunity], learned: frozenset[str], since: str) -> LessonStats:
    counted = [each for each in rows if each.time >= since]
    effect = effect_of(measured(rows, acts_as(lesson) == "hint"), learned)
    return LessonStats(lesson, tally(counted), effect, by_week(counted, MOST_WEEKS), rows)
