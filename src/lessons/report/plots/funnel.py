"""Bars: how many mistakes reach each stage on the way to a lesson that is heeded."""

from collections.abc import Sequence

from markupsafe import Markup

from lessons.report.document import FunnelStage
from lessons.report.plots.svg import WIDE, box, picture, text

_ROW = 46.0
_BAR = 18.0
_NUMBERS = 96.0  # width of the text after the longest bar


def funnel_plot(stages: Sequence[FunnelStage], width: float = WIDE) -> Markup:
    most = max((stage.mistakes for stage in stages), default=0) or 1
    parts: list[Markup] = []
    before = 0
    for number, stage in enumerate(stages):
        y = number * _ROW
        size = (width - _NUMBERS) * stage.mistakes / most
        name = stage.stage.capitalize()
        parts.append(text(0, y + 14, f"{name}: {stage.meaning}" if width >= WIDE else name, "label"))
        parts.append(box(0, y + 20, width - _NUMBERS, _BAR, "track"))
        parts.append(box(0, y + 20, max(size, 2.0 if stage.mistakes else 0.0), _BAR, f"bar step{number}"))
        share = f" ({100 * stage.mistakes / before:.0f} %)" if before else ""
        parts.append(text(width - _NUMBERS + 8, y + 34, f"{stage.mistakes:,}{share}", "label strong"))
        before = stage.mistakes
    return picture(width, len(stages) * _ROW, funnel_label(stages), *parts)


def funnel_label(stages: Sequence[FunnelStage]) -> str:
    summary = ", ".join(f"{stage.mistakes:,} {stage.stage}" for stage in stages)
    return f"Funnel of mistakes: {summary}. The table below explains the stages."
