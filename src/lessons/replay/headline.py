"""The figures of a replay in, the sentence that says what they mean out."""

from datetime import datetime

from lessons.config import Config
from lessons.replay.replay import replay
from lessons.replay.report import ReplayReport
from lessons.store.history.history import History


def headline_for(home: str, settings: Config) -> str:
    """The sentence about the whole history of a data home."""
    with History.for_reading(home) as history:
        return headline(replay(history, settings))


def headline(report: ReplayReport) -> str:
    """Empty where no mistake was repeated: then nothing could have been caught."""
    if not report.repeats:
        return ""
    alarms = f"{report.false_alarms:,} false alarm{'' if report.false_alarms == 1 else 's'}"
    mistakes = f"{report.repeats:,} repeated mistake{'' if report.repeats == 1 else 's'}"
    since = f"Had `lessons` been on since {_month(report.since)}"
    return f"{since}, {report.caught:,} of {mistakes} would have been caught, with {alarms}."


def _month(moment: str) -> str:
    try:
        return f"{datetime.fromisoformat(moment):%B %Y}"
    except ValueError:
        return "the start"
