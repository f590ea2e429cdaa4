"""The effect of each lesson, and of all together, one row each."""

from collections.abc import Sequence

from lessons.ledger.stats import LessonStats
from lessons.ledger.summary import Summary
from lessons.prove.effect import Effect
from lessons.prove.interval import Difference, Interval, calls_after, calls_before
from lessons.report.document import EffectRow, Saved, Withheld
from lessons.report.texts import one_line

_POOLED = "all lessons"


def effect_rows(lessons: Sequence[LessonStats]) -> list[EffectRow]:
    """Returns rows with the most certain improvement first, incomparable ones last."""
    rows = [_row(one.slug, one.lesson.summary, one.effect) for one in lessons]
    return sorted(rows, key=lambda row: (row.high is None, row.high or 0.0, row.slug))


def pooled_row(lessons: Sequence[LessonStats], together: Summary) -> EffectRow | None:
    """Returns the mean over the lessons, weighted by their calls; None if fewer than two are comparable."""
    mean = together.pooled.mean
    if mean is None:
        return None
    strata = [stratum for one in lessons for stratum in one.effect.strata]
    before, after = calls_before(strata), calls_after(strata)
    verdict = "helps" if mean.high < 0 else "harms" if mean.low > 0 else "no effect shown"
    return EffectRow(_POOLED, "", *before, *after, *_rounded(mean), verdict, 0)


def saved(together: Summary) -> Saved | None:
    if together.pooled.mean is None:
        return None
    (calls_low, calls_high), (minutes_low, minutes_high) = together.saved
    return Saved(*(round(value, 1) for value in (calls_low, calls_high, minutes_low, minutes_high)))


def withheld(together: Summary) -> Withheld | None:
    held = together.holdout
    if not held.without.calls:
        return None
    counts = held.without.calls, held.shown.calls
    return Withheld(*counts, *_rounded(held.difference), held.verdict, held.more_sessions)


def _row(slug: str, summary: str, effect: Effect) -> EffectRow:
    return EffectRow(
        one_line(slug),
        one_line(summary),
        *effect.before,
        *effect.after,
        *_rounded(effect.difference),
        effect.verdict,
        effect.more_sessions,
    )


def _rounded(found: Interval | Difference | None) -> tuple[float | None, float | None, float | None]:
    """Returns the middle, and the ends of the range."""
    if found is None:
        return None, None, None
    return round(found.middle, 4), round(found.low, 4), round(found.high, 4)
