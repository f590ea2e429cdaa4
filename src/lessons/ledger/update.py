"""Updates the ledger: folds the hook's log, then judges what is new since the last run."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

import msgspec

from lessons.errors import LessonsError
from lessons.ledger.opportunities import Judge, Mistake, mistake_of, mistakes_of
from lessons.model import Lesson, lesson_from_document
from lessons.promote.catalog import listed
from lessons.promote.matching import Matcher, hits
from lessons.store import logs
from lessons.store.history import sessions
from lessons.store.history.history import History
from lessons.store.history.hook_log import fold

# A new version judges everything again.
VERSION = 3
_SESSIONS_AT_ONCE = 100
# From this many lessons on, one pass over the whole history is faster than one per lesson.
_FEW_LESSONS = 8
_STAGES = ("shadow", "active", "retired")
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


def lessons_of(home: str) -> list[Lesson]:
    """Returns your own lessons and those of trusted projects, in any stage; the first of two with one id."""
    found = [lesson_from_document(record) for record in listed(home, _STAGES).records]
    return list({each.id: each for each in reversed(found)}.values())[::-1]


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
    for context in history.contexts(sessions):
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
