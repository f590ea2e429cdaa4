"""Renders the report as one HTML page without scripts, fonts, files or requests."""

import base64
import hashlib
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from lessons import __version__
from lessons.replay.cost import PRICES_OF, in_words
from lessons.report import sentences
from lessons.report.document import LessonRow, Report
from lessons.report.plots import (
    Part,
    catch_plot,
    drawn,
    figures,
    forest_plot,
    share_bar,
    weeks_plot,
)

_TEMPLATES = Path(__file__).with_name("templates")
_OUTCOMES = {
    "ok": "good", "failed": "bad", "refused": "violet", "cancelled": "blue", "interrupted": "neutral",
    "unknown": "hollow neutral",
}  # fmt: skip
_CODE = re.compile(r"`([^`]+)`")


def page(report: Report) -> str:
    """Depends only on the report. Escapes every value; the content policy allows the style sheet by its hash, and no
    script.
    """
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["coded"] = _coded
    style = (_TEMPLATES / "report.css").read_text(encoding="utf-8")
    return environment.get_template("report.html").render(
        report=report,
        sentences=sentences,
        plots=_plots(report),
        lesson_bar=_lesson_bar,
        figures=figures,
        cost=_cost(report),
        prices_of=PRICES_OF,
        outcome_classes=_OUTCOMES,
        style=Markup(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        version=__version__,
    )


def _cost(report: Report) -> dict[str, str]:
    """Returns the figure of the first tile, what it is, and all that repeats cost."""
    tokens, money, time = in_words(report.cost)
    figure, label = (tokens, "tokens lost to repeats") if money == "unknown" else (money, "lost to repeats")
    known = [each for each in (f"{tokens} tokens", money, time) if "unknown" not in each]
    return {"figure": figure, "label": label, "words": ", ".join(known)}


def _coded(text: str) -> Markup:
    """Escapes the text, and marks what is in backticks as code."""
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part)
        for number, part in enumerate(_CODE.split(text))
    )


def _plots(report: Report) -> dict[str, Markup]:
    """Returns plots by name; no plot without data."""
    counts = report.coverage.outcomes
    made = {
        "weeks": weeks_plot(report.weeks) if report.weeks else None,
        "forest": forest_plot(report.effects, report.pooled) if drawn(report.effects) else None,
        "catch": catch_plot(report.catch_rate) if report.catch_rate.periods else None,
        "coverage": share_bar([Part(name, counts.get(name, 0), kind) for name, kind in _OUTCOMES.items()])
        if report.coverage.calls
        else None,
    }
    return {name: plot for name, plot in made.items() if plot is not None}


def _lesson_bar(row: LessonRow) -> Markup:
    """Shows the outcomes of one lesson's opportunities, without unknown ones."""
    parts = [
        Part("prevented", row.prevented, "good"),
        Part("false alarm or overridden", row.wrong, "violet"),
        Part("made anyway", row.failed, "bad"),
    ]
    return share_bar(parts, 120, 12) if any(part.number for part in parts) else Markup("")
