"""After a scan: prepares the line about this week for the next session start."""

from datetime import timedelta

from lessons import config
from lessons.ledger.person_line import put_line
from lessons.prove.tally import tally
from lessons.prove.weekly import weekly_line
from lessons.store.history.history import History

LINE = "weekly"
_WEEK = timedelta(days=7)


def put_weekly_line(history: History, now: float) -> None:
    """Counts the last seven days."""

    def text(since: str) -> str:
        is_on = config.load(history.home).weekly_line
        return weekly_line(tally(history.ledger.opportunities(since=since))) if is_on else ""

    put_line(history, LINE, now, _WEEK, text)
