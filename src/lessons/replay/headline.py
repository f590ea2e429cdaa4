"""The figures of a replay in, the sentence that says what they mean out."""

from datetime import datetime

from lessons.replay.report import ReplayReport


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
