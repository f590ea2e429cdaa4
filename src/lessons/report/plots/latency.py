"""Dots: run times of the hook and of a bare Python."""

from collections.abc import Sequence
from statistics import median

from markupsafe import Markup

from lessons.report.document import Latency
from lessons.report.plots.scale import Scale, ticks
from lessons.report.plots.svg import WIDE, element, line, picture, text

_ROW, _TOP, _BOTTOM = 46.0, 4.0, 26.0


def latency_plot(latency: Latency, width: float = WIDE) -> Markup:
    rows = (("Python that does nothing", latency.bare, "neutral"), ("hook, no lesson matches", latency.hook, "blue"))
    height = _TOP + len(rows) * _ROW + _BOTTOM
    marks = ticks(max((*latency.hook, *latency.bare), default=1.0))
    across = Scale(0, marks[-1], 8, width - 24)
    parts: list[Markup] = []
    for mark in marks:
        parts.append(line(across.at(mark), _TOP, across.at(mark), height - _BOTTOM, "grid"))
        parts.append(text(across.at(mark), height - 8, f"{mark} ms", "tick", "middle" if mark else "start"))
    for number, (name, runs, kind) in enumerate(rows):
        y = _TOP + (number + 0.7) * _ROW
        parts.append(text(0, y - 14, f"{name}: median {median(runs):.0f} ms", "label"))
        parts += [element("circle", cx=across.at(run), cy=y, r=4.0, class_=f"dot {kind}") for run in runs]
    return picture(width, height, latency_label(latency), *parts)


def latency_label(latency: Latency) -> str:
    return f"Run times: median of the hook {_median(latency.hook)} ms, of a bare Python {_median(latency.bare)} ms."


def _median(runs: Sequence[float]) -> str:
    return f"{median(runs):.0f}"
