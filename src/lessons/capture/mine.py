"""Updates the candidates of tier 2 and 3 from the sessions that changed."""

import time
from collections.abc import Collection

import msgspec

from lessons.candidate import PROTOCOL
from lessons.capture.look_through import look_through
from lessons.capture.thread_mining import MineThreads, in_turn
from lessons.failure.fingerprint import fingerprint
from lessons.mistakes import corrections, group, weight
from lessons.store.history.history import History


class Changed(msgspec.Struct):
    """Which candidates are new, and which have more evidence than before."""

    new: set[str]
    updated: set[str]
    recurring: set[str]  # now seen in several sessions, but not before
    sessions: int = 0  # that were mined


def mine(
    history: History,
    window: int,
    only: Collection[str] | None = None,
    now: float | None = None,
    mine_threads: MineThreads = in_turn,
) -> Changed:
    """Mines the changed sessions, or only some of these; all of them after a version change of lessons.

    A session with a segment that is neither read nor given up waits for that. Everything is one transaction: a session
    counts as mined only once its candidates are written. A failed segment waits for its retry from `now` on.
    """
    changed = Changed(set(), set(), set())
    weight.weights()  # an unusable file is reported before anything is changed
    with history.transaction():
        if history.sessions_to_mine.were_of_another_version():
            history.put_fingerprints(fingerprint)
        sessions = history.sessions_to_mine.since(window)
        if not history.sessions_to_mine.is_current(window):
            only = None
        elif unread := history.progress.unread_sessions():
            only = (sessions.keys() if only is None else set(only)) - unread
        if only is not None:
            sessions = {name: since for name, since in sessions.items() if name in only}
        looked = look_through(history, sessions, window, time.time() if now is None else now, mine_threads)
        mistakes = group.candidates(history, looked.touched)
        said = corrections.candidates(history, looked.corrections_changed)
        names = {row.fingerprint for made in (mistakes, said) for row in made.written}
        before = history.candidates.recurring(names)
        _store(history, mistakes, changed)
        _store(history, said, changed)
        changed.recurring = history.candidates.recurring(names) - before
        changed.sessions = len(sessions)
        history.sessions_to_mine.done(None if only is None else sessions, window)
    return changed


def _store(history: History, made: group.Made, changed: Changed) -> None:
    history.candidates.replace(made.written)
    history.candidates.remove(made.known.keys() - made.standing)
    after = history.candidates.occurrences(row.fingerprint for row in made.written)
    for row in made.written:
        if row.kind != PROTOCOL:  # not in the queue: not reported as new
            before = len(made.known.get(row.fingerprint, ()))
            if not before:
                changed.new.add(row.fingerprint)
            elif after[row.fingerprint] > before:
                changed.updated.add(row.fingerprint)
