"""After mining: records which mistake was repeated within a day, for the next session start."""

from datetime import timedelta

from lessons import config
from lessons.ledger.person_line import put_line
from lessons.store.history.history import History

LINE = "repeat"
_DAY = timedelta(days=1)


def put_repeat_line(history: History, now: float) -> None:
    """Does nothing unless repeatLine is on. Names the candidate, but quotes no transcript."""

    def text(since: str) -> str:
        found = history.candidates.repeated_since(since) if config.load(history.home).repeat_line else None
        if not found:
            return ""
        fingerprint, times = found
        return f"The same mistake was made {times:,} times within a day. lessons candidates {fingerprint}"

    put_line(history, LINE, now, _DAY, text)
