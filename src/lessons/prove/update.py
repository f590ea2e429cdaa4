"""Runs after new sessions are in the history: updates the ledger, prepares lines for the user, compacts old data."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

import msgspec

from lessons import config
from lessons.errors import DamagedHistory, HistoryUnavailable, LessonsError
from lessons.model import Lesson
from lessons.promote.answered import closed
from lessons.promote.joined import count_occurrences
from lessons.promote.matching import Matcher, hits
from lessons.prove.opportunities import Judge, Mistake, lessons_of, mistake_of, mistakes_of
from lessons.prove.stats import Tally, tally
from lessons.scan.run import compact_when_due
from lessons.store import logs, session_start_files
from lessons.store.history import sessions
from lessons.store.history.history import History
from lessons.store.history.hook_log import fold

# A new version judges everything again.
VERSION = 3
_SESSIONS_AT_ONCE = 100
# From this many lessons on, one pass over the whole history is faster than one per lesson.
_FEW_LESSONS = 8
_MEMORY = "memory"  # its stamp, beside those of lessons
_OF_NO_LESSON = ""


def update_ledger(history: History) -> bool:
    """Runs after a scan; returns whether anything was judged. Records a fault in here and does not stop the scan."""
    try:
        return _update(history)
    except (LessonsError, OSError):
        raise
    except Exception as fault:
        history.rollback()
        logs.record_fault_once(history.home, "ledger", logs.describe_fault(fault))
        return False


def _update(history: History) -> bool:
    fold(history)
    lessons = lessons_of(history.home)
    mistakes = mistakes_of(history, lessons)
    stamps = {each.id: _stamp(each, mistakes[each.id]) for each in lessons}
    stamps[_MEMORY] = f"{VERSION} {sessions.VERSION}"
    before, waiting = history.ledger.stamps(), history.ledger.unjudged()
    if before.get(_MEMORY) != stamps[_MEMORY]:
        waiting |= history.injections.sessions_of([_OF_NO_LESSON])
    if before == stamps and not waiting:
        return False
    changed = [each for each in lessons if before.get(each.id) != stamps[each.id]]
    if changed:
        _judge_again(history, changed, mistakes, waiting)
    with history.transaction():
        history.ledger.keep(stamps)
    judge = _judge_of(history, lessons, mistakes)
    for some in _portions(waiting):
        with history.transaction():
            history.ledger.clear(sessions=some)
            _store(history, judge, some)
            history.ledger.judged(some)
    return True


def _judge_again(history: History, lessons: Sequence[Lesson], mistakes: dict[str, Mistake], waiting: set[str]) -> None:
    """Judges new or changed lessons in all sessions except those that are judged for every lesson anyway."""
    with history.transaction():
        history.ledger.clear(lessons=[each.id for each in lessons])
    judge = _judge_of(history, lessons, mistakes)
    for some in _portions(_sessions_about(history, lessons, mistakes) - waiting):
        with history.transaction():
            _store(history, judge, some)


def _judge_of(history: History, lessons: Sequence[Lesson], mistakes: dict[str, Mistake]) -> Judge:
    matcher = Matcher(history, lessons, lambda lesson: mistakes[lesson.id].rule)
    return Judge(lessons, mistakes, matcher.fired, lambda calls: mistake_of(history, calls))


def _sessions_about(history: History, lessons: Sequence[Lesson], mistakes: dict[str, Mistake]) -> set[str]:
    """Returns sessions where one of them matches, was logged, or its mistake was made."""
    if len(lessons) > _FEW_LESSONS:
        return history.ledger.sessions()
    found = history.injections.sessions_of(each.id for each in lessons)
    for each in lessons:
        mistake = mistakes[each.id]
        found |= history.ledger.sessions_with_errors(mistake.fingerprints)
        found |= {past.session_id for past in hits(history, mistake.rule)}
    return found


def _store(history: History, judge: Judge, sessions: Iterable[str]) -> None:
    for context in history.ledger.contexts(sessions):
        history.ledger.add((each, context.agent_id) for each in judge.opportunities(context))


def _portions(sessions: set[str]) -> Iterator[list[str]]:
    names = iter(sorted(sessions))
    while some := list(itertools.islice(names, _SESSIONS_AT_ONCE)):
        yield some


def _stamp(lesson: Lesson, mistake: Mistake) -> str:
    """Digests all that decides how a lesson is judged; its text and when it is shown are in the log."""
    about = (
        VERSION,
        sessions.VERSION,
        lesson.slug,
        lesson.triggers,
        lesson.scope,
        lesson.block or lesson.stop_once,
        lesson.stage == "retired",
        lesson.created_at,
        sorted(mistake.fingerprints),
        sorted(mistake.kinds),
    )
    return blake2b(msgspec.json.encode(about), digest_size=8).hexdigest()


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
        if found and closed(history, history.candidates.named([found[0]])):
            found = None
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
        from lessons.prove.tend import put_tend_line

        put_tend_line(history)
        end_probation(history)


def weekly_line(week: Tally) -> str:
    """Returns an empty string if lessons neither prevented nor hindered anything."""
    if not week.prevented and not week.wrong:
        return ""
    return f"This week: {_many(week.prevented, 'repeat')} prevented, {_many(week.wrong, 'false alarm')}. lessons stats"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
