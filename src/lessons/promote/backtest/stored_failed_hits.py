"""The failed calls that many lessons would have caught: those that are stored, the others found in one pass."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lessons.errors import LessonsError
from lessons.match.rule import Rule
from lessons.model import Lesson
from lessons.promote.backtest.many import Hit, Matcher, is_ever_certain
from lessons.promote.backtest.stored_hits import can_be_stored, name_of
from lessons.promote.backtest.where import reads_arguments
from lessons.store.history.history import History
from lessons.store.history.past_calls import EVERY_ROW, PastCall, Rows
from lessons.store.history.row_numbers import RowNumbers
from lessons.store.history.trigger_hits import Hits, Looked

_FAILED = "failed"
_CALLS_AT_ONCE = 20_000

Rules = Mapping[str, Rule]  # by the slug of the lesson


def failed_hits(history: History, lessons: Sequence[Lesson], rules: Rules) -> Iterator[Hit]:
    """Each of them fires here on the same calls as in a back-test of its own."""
    return (Hit(each.lesson, each.past) for each in _numbered(history, lessons, rules))


def store_failed_hits(history: History, lessons: Sequence[Lesson], rules: Rules) -> Iterator[dict[str, RowNumbers]]:
    """Stores the numbers of these calls, some calls at a time; yields all that are stored so far, by slug."""
    able = [each for each in lessons if can_be_stored(history, rules[each.slug])]
    goal = history.trigger_hits.extent()  # what a scan adds from now on counts as new
    stored = _stored(history, able, rules)
    if len(stored) == len(able) and all(hits.looked == goal for hits in stored.values()):
        yield {slug: hits.rows for slug, hits in stored.items()}
        return
    nothing = Hits(RowNumbers(), Looked(0, goal.newest_change))
    before = {each.slug: stored.get(each.slug, nothing) for each in able}
    # Not beyond the goal: where the newest calls were deleted, others will get their numbers.
    oldest = Looked(*map(min, zip(goal, *(hits.looked for hits in before.values()), strict=True)))
    changed = history.trigger_hits.changed_since(oldest)
    found = {slug: _still_valid(hits, oldest, changed) for slug, hits in before.items()}
    matcher = Matcher(history, able, lambda lesson: rules[lesson.slug])
    for part in _parts(oldest.newest_call, goal.newest_call, changed):
        for texts in history.calls.failed_texts(part):
            for number, past in history.calls.of_rows(matcher.possible(texts)):
                for lesson in matcher.fired(past):
                    found[lesson.slug].update([number])
        _put(history, rules, found, Looked(part.up_to or 0, goal.newest_change))
        yield found


def _still_valid(hits: Hits, oldest: Looked, changed: Sequence[int]) -> RowNumbers:
    again = {*changed}
    return RowNumbers(row for row in hits.rows.all() if row <= oldest.newest_call and row not in again)


def _parts(first: int, last: int, changed: Sequence[int]) -> Iterator[Rows]:
    """What is to be looked at: changed calls, then the new ones."""
    yield Rows(first, changed, first)
    for start in range(first, last, _CALLS_AT_ONCE):
        yield Rows(start, (), min(start + _CALLS_AT_ONCE, last))


def _put(history: History, rules: Rules, found: Mapping[str, RowNumbers], looked: Looked) -> None:
    try:
        with History.opened(history.home) as writer, writer.transaction():
            for slug, rows in found.items():
                writer.trigger_hits.put(name_of(rules[slug], _FAILED), Hits(rows, looked))
    except (LessonsError, OSError):
        pass  # the next one to store does it


class _Numbered(NamedTuple):
    lesson: Lesson
    number: int
    past: PastCall


def _numbered(history: History, lessons: Sequence[Lesson], rules: Rules) -> Iterator[_Numbered]:
    able = [lesson for lesson in lessons if is_ever_certain(rules[lesson.slug])]
    stored = _stored(history, able, rules)
    yield from _found(history, [each for each in able if each.slug not in stored], rules, EVERY_ROW)
    if not stored:
        return
    oldest = Looked(*map(min, zip(*(hits.looked for hits in stored.values()), strict=True)))
    changed = history.trigger_hits.changed_since(oldest)
    again = {*changed}
    for lesson in able:
        if hits := stored.get(lesson.slug):
            rows = [row for row in hits.rows.all() if row <= oldest.newest_call and row not in again]
            # Of good calls before that moment the arguments may be lost: to count failed ones alone would be wrong.
            since = history.compaction.lost_before() if reads_arguments(rules[lesson.slug]) else ""
            yield from (_Numbered(lesson, number, past) for number, past in history.calls.of_rows(rows, since))
    if changed or history.trigger_hits.extent().newest_call > oldest.newest_call:
        among = Rows(oldest.newest_call, changed)
        yield from _found(history, [each for each in able if each.slug in stored], rules, among)


def _found(history: History, lessons: Sequence[Lesson], rules: Rules, among: Rows) -> Iterator[_Numbered]:
    """Looks at each of these calls."""
    matcher: Matcher | None = None
    for texts in history.calls.failed_texts(among) if lessons else ():
        # It takes a while to make, and few calls fail.
        matcher = matcher or Matcher(history, lessons, lambda lesson: rules[lesson.slug])
        for number, past in history.calls.of_rows(matcher.possible(texts)):
            yield from (_Numbered(lesson, number, past) for lesson in matcher.fired(past))


def _stored(history: History, lessons: Sequence[Lesson], rules: Rules) -> dict[str, Hits]:
    able = [each for each in lessons if can_be_stored(history, rules[each.slug])]
    found = ((each.slug, history.trigger_hits.stored(name_of(rules[each.slug], _FAILED))) for each in able)
    return {slug: hits for slug, hits in found if hits}
