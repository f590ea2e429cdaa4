"""A forest plot: how each lesson changed the failures per opportunity, with its interval."""

from collections.abc import Sequence

from markupsafe import Markup

from lessons.report.document import EffectRow
from lessons.report.plots.scale import Scale
from lessons.report.plots.svg import WIDE, box, element, line, picture, text

MOST_ROWS = 20
_TOP, _BOTTOM = 30.0, 24.0
_LABELS, _FIGURES = 225.0, 130.0  # width of the texts left and right of a wide plot
_LIMITS = (0.1, 0.25, 0.5, 1.0)
_CLASSES = {"helps": "good", "harms": "bad"}
_LONGEST_LABEL = 30
_WIDE_ROW, _NARROW_ROW = 30.0, 46.0


def forest_plot(effects: Sequence[EffectRow], pooled: EffectRow | None, width: float = WIDE) -> Markup:
    """Draws the most informative rows; the table has all."""
    rows = drawn(effects) + ([pooled] if pooled else [])
    is_wide = width >= WIDE
    row_height = _WIDE_ROW if is_wide else _NARROW_ROW
    height = _TOP + len(rows) * row_height + _BOTTOM
    limit = _limit(rows)
    across = Scale(-limit, limit, _LABELS if is_wide else 16, width - _FIGURES - 16 if is_wide else width - 16)
    parts = _axis(across, height)
    for number, row in enumerate(rows):
        y = _TOP + (number + 0.5) * row_height
        if row is pooled:
            parts.append(line(0, y - row_height / 2, width, y - row_height / 2, "rule"))
        label_y, bar_y = (y + 4, y) if is_wide else (y - 8, y + 10)
        parts.append(text(0, label_y, _label(row), "label strong" if row is pooled else "label"))
        parts.append(text(width, label_y, figures(row), "tick", "end"))
        parts += _interval(row, across, bar_y, is_pooled=row is pooled)
    return picture(width, height, forest_label(effects), *parts)


def drawn(effects: Sequence[EffectRow]) -> list[EffectRow]:
    """Returns the comparable rows in order; if there are too many, those with the most calls."""
    found = [row for row in effects if row.difference is not None]
    if len(found) > MOST_ROWS:
        kept = sorted(found, key=lambda row: -(row.before_calls + row.after_calls))[:MOST_ROWS]
        found = [row for row in found if row in kept]
    return found


def forest_label(effects: Sequence[EffectRow]) -> str:
    verdicts = [row.verdict for row in effects]
    summary = ", ".join(f"{verdicts.count(each)} {each}" for each in dict.fromkeys(verdicts))
    return f"Forest plot of {len(effects)} lessons: {summary}. The table below has the numbers."


def _limit(rows: Sequence[EffectRow]) -> float:
    reach = max((max(abs(row.low or 0), abs(row.high or 0)) for row in rows), default=0.0)
    return next((limit for limit in _LIMITS if reach <= limit), 1.0)


def _axis(across: Scale, height: float) -> list[Markup]:
    bottom = height - _BOTTOM
    parts = [
        text(across.start, 12, "← fewer failures", "tick good-text"),
        text(across.end, 12, "more failures →", "tick bad-text", "end"),
    ]
    for step in (-1, -0.5, 0, 0.5, 1):
        place = across.at(step * across.high)
        parts.append(line(place, _TOP - 6, place, bottom, "grid" if step else "zero"))
        parts.append(text(place, height - 8, points(step * across.high), "tick", "middle"))
    return parts


def points(share: float) -> str:
    """Formats a difference of shares in percentage points, with its sign."""
    return f"{100 * share:+.0f}".replace("-", "−").replace("+0", "0").replace("−0", "0")


def figures(row: EffectRow) -> str:
    """Returns the change and its interval; a dash if not comparable."""
    if row.difference is None or row.low is None or row.high is None:
        return "–"
    return f"{points(row.difference)} ({points(row.low)} to {points(row.high)})"


def _label(row: EffectRow) -> str:
    return row.slug if len(row.slug) <= _LONGEST_LABEL else row.slug[: _LONGEST_LABEL - 1] + "…"


def _interval(row: EffectRow, across: Scale, y: float, is_pooled: bool) -> list[Markup]:
    assert row.low is not None and row.high is not None and row.difference is not None
    low, middle, high = across.at(row.low), across.at(row.difference), across.at(row.high)
    kind = _CLASSES.get(row.verdict, "neutral")
    title = f"{row.slug}: {figures(row)} points, {row.verdict}"
    if is_pooled:
        shape = f"M{low:.1f} {y:.1f}L{middle:.1f} {y - 8:.1f}L{high:.1f} {y:.1f}L{middle:.1f} {y + 8:.1f}z"
        return [element("path", element("title", title), d=shape, class_=f"bar {kind}")]
    size = 7.0 + min(6.0, (row.before_calls + row.after_calls) ** 0.5 / 4)
    return [
        line(low, y, high, y, f"interval {kind}"),
        line(low, y - 4, low, y + 4, f"interval {kind}"),
        line(high, y - 4, high, y + 4, f"interval {kind}"),
        box(middle - size / 2, y - size / 2, size, size, f"bar {kind}", title),
    ]
