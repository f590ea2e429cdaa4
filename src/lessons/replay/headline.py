"""The sentence that sums up a replay."""

import time
from datetime import datetime

from lessons.config import Config
from lessons.replay.replay import replay
from lessons.replay.report import ReplayReport
from lessons.replay.walk import Watch
from lessons.store.history.history import History


class _TookTooLong(Exception):
    """The replay was aborted."""


def headline_for(
    home: str, settings: Config, watch: Watch = lambda done, total: None, most_seconds: float | None = None
) -> str:
    """Returns the sentence about the whole history of a data home; empty if the replay would take longer than this."""
    began = time.monotonic()

    def impatient(done: int, total: int) -> None:
        watch(done, total)
        if most_seconds is not None and time.monotonic() - began > most_seconds:
            raise _TookTooLong

    try:
        with History.for_reading(home) as history:
            return headline(replay(history, settings, watch=impatient))
    except _TookTooLong:
        return ""


def headline(report: ReplayReport) -> str:
    """Returns an empty string if no mistake was repeated: then nothing could have been caught."""
    if not report.repeats:
        return ""
    alarms = f"{report.false_alarms:,} false alarm{'' if report.false_alarms == 1 else 's'}"
    mistakes = f"{report.repeats:,} repeated mistake{'' if report.repeats == 1 else 's'}"
    since = f"Had `lessons` been on since {_month(report.since)}"
    # After the error the call has failed already: that is not a mistake prevented.
    done = [f"caught {report.caught_at_call:,} of {mistakes} at the call"]
    done += [f"noted {report.noted_at_start:,} more at session start"] if report.noted_at_start else []
    done += [f"given advice after the error of {report.caught_at_error:,} more"] if report.caught_at_error else []
    said = " and ".join(filter(None, [", ".join(done[:-1]), done[-1]]))
    return f"{since}, it would have {said}, with {alarms}."


def _month(moment: str) -> str:
    try:
        return f"{datetime.fromisoformat(moment):%B %Y}"
    except ValueError:
        return "the start"
