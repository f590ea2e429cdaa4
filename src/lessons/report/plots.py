"""The plots of the report as SVG: elements with everything escaped, axes, and one function for each plot."""

import math
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from markupsafe import Markup, escape

from lessons.report.document import CatchRate, EffectRow, Week

WIDTH = 720.0  # in drawing units, which are pixels at full size; a phone scrolls sideways

Value = str | float


def element(name: str, *inside: str, **attributes: Value) -> Markup:
    """`class_` means class, and `_` in a name means `-`; texts are escaped, elements are not."""
    written = (f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"' for key, value in attributes.items())
    opening = f"<{name}{''.join(written)}"
    content = "".join(map(str, map(escape, inside)))
    return Markup(f"{opening}>{content}</{name}>" if inside else f"{opening}/>")


def text(x: float, y: float, words: str, class_: str = "", anchor: str = "start") -> Markup:
    return element("text", words, x=x, y=y, class_=class_, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str, title: str = "") -> Markup:
    """`title` is the tooltip."""
    inside = [element("title", title)] if title else []
    return element("rect", *inside, x=x, y=y, width=max(0.0, width), height=max(0.0, height), class_=class_)


def picture(width: float, height: float, label: str, *inside: str, **attributes: Value) -> Markup:
    """`label` is the text for screen readers."""
    view = f"0 0 {_text(width)} {_text(height)}"
    return element("svg", *inside, viewBox=view, role="img", aria_label=label, **attributes)


def _text(value: Value) -> str:
    """Formats numbers with one digit: a fraction of a pixel is invisible."""
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


_STEPS = (1, 2, 5, 10)


class Scale(NamedTuple):
    """A linear mapping from figures to positions."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / ((self.high - self.low) or 1) * (self.end - self.start)


def ticks(most: float, about: int = 4) -> list[int]:
    """Returns whole numbers from 0 to at least `most`, evenly spaced."""
    raw = max(1.0, most / about)
    size = 10 ** math.floor(math.log10(raw))
    step = next(int(each * size) for each in _STEPS if each * size >= raw)
    return list(range(0, math.ceil(max(1.0, most) / step) * step + 1, step))


def thinned(places: Sequence[float], room: float) -> list[int]:
    """Returns the indexes to label, so that no two are closer than `room`; includes the last one."""
    chosen: list[int] = []
    for number in reversed(range(len(places))):
        if not chosen or places[chosen[-1]] - places[number] >= room:
            chosen.append(number)
    return chosen[::-1]


def day_label(day: str) -> str:
    """Returns `3 Feb` for a day, `Feb 2026` for a month."""
    if len(day) == len("2026-01"):
        return f"{date.fromisoformat(day + '-01'):%b %Y}"
    found = date.fromisoformat(day)
    return f"{found.day} {found:%b}"


class Part(NamedTuple):
    name: str
    number: int
    kind: str  # a class of the style sheet


def share_bar(parts: Sequence[Part], width: float = WIDTH, height: float = 18.0) -> Markup:
    """Skips parts that are zero; the label names the others."""
    total = sum(part.number for part in parts) or 1
    place, found, labels = 0.0, [], []
    for part in parts:
        if part.number:
            size = width * part.number / total
            labels.append(f"{part.name}: {part.number:,} ({100 * part.number / total:.0f} %)")
            found.append(box(place, 0.5, max(1.0, size - 1), height - 1, f"bar {part.kind}", labels[-1]))
            place += size
    return picture(width, height, ", ".join(labels) or "nothing", *found, preserveAspectRatio="none")


_RIGHT, _BOTTOM = 6.0, 26.0  # margins of the plots over time
_GAP = 0.28  # of the width of a column


def _columns(
    left: float, starts: Sequence[str], room: float, height: float, width: float
) -> tuple[list[float], float, list[Markup]]:
    """Returns the middle of each column, the width of all, and their labels with at least `room` for each."""
    band = (width - left - _RIGHT) / max(1, len(starts))
    places = [left + (number + 0.5) * band for number in range(len(starts))]
    labels = []
    for number in thinned(places, room):
        is_last = places[number] > width - 24
        place, anchor = (width - _RIGHT, "end") if is_last else (places[number], "middle")
        labels.append(text(place, height - 8, day_label(starts[number]), "tick", anchor))
    return places, band, labels


def _grid(left: float, width: float, up: Scale, marks: Mapping[float, str]) -> list[Markup]:
    parts = []
    for value, words in marks.items():
        parts.append(line(left, up.at(value), width - _RIGHT, up.at(value), "grid"))
        parts.append(text(left - 6, up.at(value) + 4, words, "tick", "end"))
    return parts


def weeks_plot(weeks: Sequence[Week]) -> Markup:
    left, top, height, width = 34.0, 30.0, 240.0, WIDTH
    marks = ticks(max((week.repeats + week.prevented for week in weeks), default=0))
    up = Scale(0, marks[-1], height - _BOTTOM, top)
    places, band, labels = _columns(left, [week.start for week in weeks], 52, height, width)
    parts = _grid(left, width, up, {mark: f"{mark:,}" for mark in marks})
    for week, place in zip(weeks, places, strict=True):
        size = band * (1 - _GAP)
        x = place - size / 2
        made, both = up.at(week.repeats), up.at(week.repeats + week.prevented)
        about = f"Week of {week.start}: "
        if week.repeats:
            parts.append(box(x, made, size, up.start - made, "bar bad", f"{about}{week.repeats:,} repeats made"))
        if week.prevented:
            title = f"{about}{week.prevented:,} repeats prevented"
            parts.append(box(x, both, size, made - both, "bar hollow good", title))
        if week.activated:  # a line down to the bar, and a mark with the number of lessons if there are several
            title = f"{about}activated {', '.join(week.activated)}"
            parts.append(line(place, 20, place, both, "mark-line"))
            parts.append(element("path", element("title", title), d=f"M{place - 5:.1f} 12h10l-5 8z", class_="mark"))
        if len(week.activated) > 1:
            parts.append(text(place, 9, str(len(week.activated)), "tick strong", "middle"))
    made_in_all, prevented = sum(week.repeats for week in weeks), sum(week.prevented for week in weeks)
    label = (
        f"Bar chart of {len(weeks)} weeks: {made_in_all:,} repeated mistakes made, {prevented:,} prevented,"
        f" {sum(len(week.activated) for week in weeks):,} lessons activated. The table below has the numbers."
    )
    return picture(width, height, label, *parts, *labels)


_MOMENTS = (
    ("at_call", "good", "at the call"),
    ("at_start", "blue", "at session start"),
    ("at_error", "violet", "at the error"),
    ("missed", "hollow neutral", "missed"),
)


def catch_plot(rate: CatchRate) -> Markup:
    left, top, height, width = 44.0, 22.0, 220.0, WIDTH
    up = Scale(0, 1, height - _BOTTOM, top)
    starts = [period.start for period in rate.periods]
    places, band, labels = _columns(left, starts, 62 if rate.unit == "month" else 52, height, width)
    parts = _grid(left, width, up, {share: f"{100 * share:.0f} %" for share in (0, 0.25, 0.5, 0.75, 1)})
    for period, place in zip(rate.periods, places, strict=True):
        size, done = band * (1 - _GAP), 0
        for name, kind, words in _MOMENTS:
            if number := getattr(period, name):
                high, low = up.at((done + number) / period.repeats), up.at(done / period.repeats)
                title = f"{day_label(period.start)}: {number:,} of {period.repeats:,} {words}"
                parts.append(box(place - size / 2, high, size, low - high, f"bar {kind}", title))
                done += number
        if band >= 22:
            parts.append(text(place, top - 7, f"{period.repeats:,}", "tick", "middle"))
    label = (
        f"Stacked bars for {len(rate.periods)} {rate.unit}s: lessons would have caught {rate.caught:,} of"
        f" {rate.repeats:,} repeats. The table below has the numbers."
    )
    return picture(width, height, label, *parts, *labels)


MOST_ROWS = 20
_TOP_FOREST, _BOTTOM_FOREST = 30.0, 24.0
_LABELS, _FIGURES = 225.0, 130.0  # width of the texts left and right of the plot
_LIMITS = (0.1, 0.25, 0.5, 1.0)
_CLASSES = {"helps": "good", "harms": "bad"}
_LONGEST_LABEL = 30
_ROW = 30.0


def forest_plot(effects: Sequence[EffectRow], pooled: EffectRow | None) -> Markup:
    """Draws the most informative rows; the table has all."""
    rows = drawn(effects) + ([pooled] if pooled else [])
    height = _TOP_FOREST + len(rows) * _ROW + _BOTTOM_FOREST
    reach = max((max(abs(row.low or 0), abs(row.high or 0)) for row in rows), default=0.0)
    limit = next((limit for limit in _LIMITS if reach <= limit), 1.0)
    across = Scale(-limit, limit, _LABELS, WIDTH - _FIGURES - 16)
    parts = [
        text(across.start, 12, "← fewer failures", "tick good-text"),
        text(across.end, 12, "more failures →", "tick bad-text", "end"),
    ]
    for step in (-1, -0.5, 0, 0.5, 1):
        place, bottom = across.at(step * limit), height - _BOTTOM_FOREST
        parts.append(line(place, _TOP_FOREST - 6, place, bottom, "grid" if step else "zero"))
        parts.append(text(place, height - 8, points(step * limit), "tick", "middle"))
    for number, row in enumerate(rows):
        y = _TOP_FOREST + (number + 0.5) * _ROW
        if row is pooled:
            parts.append(line(0, y - _ROW / 2, WIDTH, y - _ROW / 2, "rule"))
        name = row.slug if len(row.slug) <= _LONGEST_LABEL else row.slug[: _LONGEST_LABEL - 1] + "…"
        parts.append(text(0, y + 4, name, "label strong" if row is pooled else "label"))
        parts.append(text(WIDTH, y + 4, figures(row), "tick", "end"))
        parts += _interval(row, across, y, is_pooled=row is pooled)
    verdicts = [row.verdict for row in effects]
    summary = ", ".join(f"{verdicts.count(each)} {each}" for each in dict.fromkeys(verdicts))
    label = f"Forest plot of {len(effects)} lessons: {summary}. The table below has the numbers."
    return picture(WIDTH, height, label, *parts)


def drawn(effects: Sequence[EffectRow]) -> list[EffectRow]:
    """Returns the comparable rows in order; if there are too many, those with the most calls."""
    found = [row for row in effects if row.difference is not None]
    if len(found) > MOST_ROWS:
        largest = sorted(found, key=lambda row: -(row.before_calls + row.after_calls))[:MOST_ROWS]
        found = [row for row in found if row in largest]
    return found


def points(share: float) -> str:
    """Formats a difference of shares in percentage points, with its sign."""
    return f"{100 * share:+.0f}".replace("-", "−").replace("+0", "0").replace("−0", "0")


def figures(row: EffectRow) -> str:
    """Returns the change and its interval; a dash if not comparable."""
    if row.difference is None or row.low is None or row.high is None:
        return "–"
    return f"{points(row.difference)} ({points(row.low)} to {points(row.high)})"


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
