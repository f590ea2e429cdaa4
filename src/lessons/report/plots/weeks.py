"""Bars: repeats that were made and prevented per week, with the activations of lessons above them."""

from collections.abc import Sequence

from markupsafe import Markup

from lessons.report.document import Week
from lessons.report.plots.scale import Scale, day_label, thinned, ticks
from lessons.report.plots.svg import WIDE, box, element, line, picture, text

_LEFT, _RIGHT, _TOP, _BOTTOM = 34.0, 6.0, 30.0, 26.0
_GAP = 0.28  # of the width of a week


def weeks_plot(weeks: Sequence[Week], width: float = WIDE) -> Markup:
    height = 240.0 if width >= WIDE else 220.0
    marks = ticks(max((week.repeats + week.prevented for week in weeks), default=0))
    up = Scale(0, marks[-1], height - _BOTTOM, _TOP)
    band = (width - _LEFT - _RIGHT) / max(1, len(weeks))
    parts: list[Markup] = []
    for mark in marks:
        parts.append(line(_LEFT, up.at(mark), width - _RIGHT, up.at(mark), "grid"))
        parts.append(text(_LEFT - 6, up.at(mark) + 4, f"{mark:,}", "tick", "end"))
    for number, week in enumerate(weeks):
        parts += _week(week, _LEFT + number * band, band, up)
    places = [_LEFT + (number + 0.5) * band for number in range(len(weeks))]
    for number in thinned(places, 52):
        anchor = "end" if places[number] > width - 24 else "middle"
        place = min(places[number], width - _RIGHT) if anchor == "middle" else width - _RIGHT
        parts.append(text(place, height - 8, day_label(weeks[number].start), "tick", anchor))
    return picture(width, height, weeks_label(weeks), *parts)


def weeks_label(weeks: Sequence[Week]) -> str:
    made, prevented = sum(week.repeats for week in weeks), sum(week.prevented for week in weeks)
    activated = sum(len(week.activated) for week in weeks)
    return (
        f"Bar chart of {len(weeks)} weeks: {made:,} repeated mistakes made, {prevented:,} prevented,"
        f" {activated:,} lessons activated. The table below has the numbers."
    )


def _week(week: Week, x: float, band: float, up: Scale) -> list[Markup]:
    inner, size = x + band * _GAP / 2, band * (1 - _GAP)
    made, both = up.at(week.repeats), up.at(week.repeats + week.prevented)
    about = f"Week of {week.start}: "
    found = []
    if week.repeats:
        found.append(box(inner, made, size, up.start - made, "bar bad", f"{about}{week.repeats:,} repeats made"))
    if week.prevented:
        found.append(
            box(inner, both, size, made - both, "bar hollow good", f"{about}{week.prevented:,} repeats prevented")
        )
    if week.activated:
        found += _activation(week, x + band / 2, both)
    return found


def _activation(week: Week, x: float, top: float) -> list[Markup]:
    """Draws a line down to the bar, and a mark with the number of lessons if there are several."""
    title = f"Week of {week.start}: activated {', '.join(week.activated)}"
    mark = element("path", element("title", title), d=f"M{x - 5:.1f} 12h10l-5 8z", class_="mark")
    count = [text(x, 9, str(len(week.activated)), "tick strong", "middle")] if len(week.activated) > 1 else []
    return [line(x, 20, x, top, "mark-line"), mark, *count]
