"""Stacked bars: the share of repeats that lessons would have caught, per week or month."""

from markupsafe import Markup

from lessons.report.document import CatchPeriod, CatchRate
from lessons.report.plots.scale import Scale, day_label, thinned
from lessons.report.plots.svg import WIDE, box, line, picture, text

_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 6.0, 22.0, 26.0
_GAP = 0.28
_KINDS = (
    ("at_call", "good", "at the call"),
    ("at_start", "blue", "at session start"),
    ("at_error", "violet", "at the error"),
)


def catch_plot(rate: CatchRate, width: float = WIDE) -> Markup:
    height = 220.0
    up = Scale(0, 1, height - _BOTTOM, _TOP)
    band = (width - _LEFT - _RIGHT) / max(1, len(rate.periods))
    parts: list[Markup] = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(line(_LEFT, up.at(share), width - _RIGHT, up.at(share), "grid"))
        parts.append(text(_LEFT - 6, up.at(share) + 4, f"{100 * share:.0f} %", "tick", "end"))
    places = [_LEFT + (number + 0.5) * band for number in range(len(rate.periods))]
    for period, place in zip(rate.periods, places, strict=True):
        parts += _period(period, place, band * (1 - _GAP), up)
        if band >= 22:
            parts.append(text(place, _TOP - 7, f"{period.repeats:,}", "tick", "middle"))
    for number in thinned(places, 62 if rate.unit == "month" else 52):
        anchor = "end" if places[number] > width - 24 else "middle"
        place = places[number] if anchor == "middle" else width - _RIGHT
        parts.append(text(place, height - 8, day_label(rate.periods[number].start), "tick", anchor))
    return picture(width, height, catch_label(rate), *parts)


def catch_label(rate: CatchRate) -> str:
    return (
        f"Stacked bars for {len(rate.periods)} {rate.unit}s: lessons would have caught {rate.caught:,} of"
        f" {rate.repeats:,} repeats. The table below has the numbers."
    )


def _period(period: CatchPeriod, place: float, size: float, up: Scale) -> list[Markup]:
    x, done, found = place - size / 2, 0, []
    for name, kind, words in (*_KINDS, ("missed", "hollow neutral", "missed")):
        number = getattr(period, name)
        if number:
            top, bottom = up.at((done + number) / period.repeats), up.at(done / period.repeats)
            title = f"{day_label(period.start)}: {number:,} of {period.repeats:,} {words}"
            found.append(box(x, top, size, bottom - top, f"bar {kind}", title))
            done += number
    return found
