"""Runs after new sessions are in the history: updates the ledger, prepares lines for the user, compacts old data."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from lessons import config
from lessons.errors import DamagedHistory, HistoryUnavailable, LessonsError
from lessons.ledger.update import update_ledger
from lessons.promote.joined import count_occurrences
from lessons.prove.tally import Tally, tally
from lessons.scan.run import compact_when_due
from lessons.store import logs, session_start_files
from lessons.store.history.history import History


def put_line(history: History, name: str, now: float, span: timedelta, text_since: Callable[[str], str]) -> None:
    """`text_since` gets the start of the period, and returns an empty text if there is nothing to show.

    Records a fault in here and does not stop the scan.
    """
    try:
        since = datetime.fromtimestamp(now, UTC) - span
        text = text_since(f"{since:%Y-%m-%dT%H:%M:%S}")
        session_start_files.put_person_line(history.home, name, text, now + span.total_seconds())
    except Exception as fault:
        logs.record_fault_once(history.home, f"{name} line", logs.describe_fault(fault))


REPEAT_LINE = "repeat"
_DAY = timedelta(days=1)


def put_repeat_line(history: History, now: float) -> None:
    """Does nothing unless repeatLine is on. Names the candidate, but quotes no transcript."""

    def text(since: str) -> str:
        found = history.candidates.repeated_since(since) if config.load(history.home).repeat_line else None
        if not found:
            return ""
        fingerprint, times = found
        return f"The same mistake was made {times:,} times within a day. lessons candidates {fingerprint}"

    put_line(history, REPEAT_LINE, now, _DAY, text)


WEEKLY_LINE = "weekly"
_WEEK = timedelta(days=7)


def put_weekly_line(history: History, now: float) -> None:
    """Counts the last seven days."""

    def text(since: str) -> str:
        is_on = config.load(history.home).weekly_line
        found = [*history.ledger.opportunities(since=since), *history.ledger.recalls(since)] if is_on else []
        return weekly_line(tally(found))

    put_line(history, WEEKLY_LINE, now, _WEEK, text)


def after_scan(history: History) -> list[str]:
    """Runs at the end of every scan, and at intervals in the watcher; the caller holds the scan lock.

    Returns why nothing was done about lessons, if their file cannot be used: the scan is complete without it.
    """
    now, problems = datetime.now(UTC), []
    try:
        _follow_lessons(history)
    except (DamagedHistory, HistoryUnavailable):
        raise
    except LessonsError as fault:
        problems.append(str(fault))
    if history.candidates.untested_tags():
        from lessons.learn.accept import take_tags  # few scans find an answer to a question

        take_tags(history)
    from lessons.learn.offer import note_when_due  # imported late: one that is not due needs none of it

    note_when_due(history, now.timestamp())
    put_weekly_line(history, now.timestamp())
    put_repeat_line(history, now.timestamp())
    compact_when_due(history, config.load(history.home).history_days, now)
    return problems


def _follow_lessons(history: History) -> None:
    count_occurrences(history)
    if update_ledger(history):
        from lessons.learn.probation import end_probation  # few scans have anything to judge
        from lessons.ledger.tend import put_tend_line

        put_tend_line(history)
        end_probation(history)


def weekly_line(week: Tally) -> str:
    """Returns an empty string if lessons neither prevented nor hindered anything."""
    if not week.prevented and not week.wrong:
        return ""
    return f"This week: {_many(week.prevented, 'repeat')} prevented, {_many(week.wrong, 'false alarm')}. lessons stats"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
