"""Finds the mistakes and corrections in the calls of sessions, and updates the candidates."""

import time
from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection
from functools import partial
from typing import TypeVar

import msgspec

from lessons.episode import Step
from lessons.failure.error_text import fingerprint
from lessons.mistakes import corrections, group
from lessons.mistakes.corrections import correction
from lessons.mistakes.episodes import episode_at, failures, features, is_counted, weights
from lessons.mistakes.features import keys_of
from lessons.mistakes.group import Touched
from lessons.store.history.episodes import CorrectionRow
from lessons.store.history.history import History
from lessons.store.history.sessions import VERSION, Thread
from lessons.store.logs import record_fault_once, without_fault

_Found = TypeVar("_Found")


class _Mined:
    """What was found in sessions: what has changed, and the calls that could not be analysed."""

    def __init__(self) -> None:
        self.touched = Touched()  # the mistakes whose candidates may change
        self.corrected_calls: set[str] = set()
        self.faults: list[tuple[str, str, str]] = []  # each with the call, its session and the reason


def _mine_sessions(history: History, sessions: Collection[str], window: int) -> _Mined:
    """Replaces what is stored about the calls of these sessions."""
    found, episodes = _Mined(), history.episodes
    found.touched.add(episodes.of_sessions(sessions))
    found.corrected_calls |= episodes.clear_corrections(sessions)
    episodes.clear(sessions)
    for thread in history.sessions.threads(sessions):
        _mine_thread(history, thread, window, found)
    if found.corrected_calls:
        found.touched.add(episodes.about_calls(found.corrected_calls))
    return found


def _mine_thread(history: History, thread: Thread, window: int, found: _Mined) -> None:
    """`window` is the number of calls after a failure in which its fix is searched."""

    def guard(step: Step, work: Callable[[], _Found | None]) -> _Found | None:
        """Skips a call that cannot be analysed."""

        def failed(fault: str) -> None:
            record_fault_once(history.home, f"session {thread.session_id}", fault)
            found.faults.append((step.tool_use_id, thread.session_id, fault))

        return without_fault(work, failed)

    steps = thread.steps
    rows = []
    for place in failures(steps, thread.own):
        if row := guard(steps[place], partial(episode_at, thread.session_id, steps, place, window)):
            rows.append(row)
    history.episodes.add(rows)
    found.touched.add({row.tool_use_id: row.program for row in rows})
    own = steps[thread.own.start : thread.own.stop]
    # None for a call whose end is unknown.
    history.episodes.put_features(
        {step.tool_use_id: guard(step, partial(_keys, step)) if is_counted(step) else None for step in own}
    )
    said = []
    times = [step.time for step in steps]
    for prompt in thread.prompts:
        place = bisect_right(times, prompt.time)
        if not place or not prompt.time:
            continue
        action = steps[place - 1]  # the last call before it, which it answers
        stopped = action.outcome in ("refused", "interrupted")
        if rule := guard(action, partial(correction, prompt.text, prompt.sureness, action, stopped)):
            said.append(CorrectionRow(prompt.key, thread.session_id, rule.rule, rule.sureness, action.tool_use_id))
    history.episodes.add_corrections(said)
    found.corrected_calls |= {row.tool_use_id for row in said}


def _keys(step: Step) -> bytes:
    return array("I", keys_of(features(step))).tobytes()


class Changed(msgspec.Struct):
    """Which candidates are new, and which have more evidence than before."""

    new: set[str]
    updated: set[str]
    recurring: set[str]  # now seen in several sessions, but not before
    sessions: int = 0  # that were mined


def mine(history: History, window: int, only: Collection[str] | None = None, now: float | None = None) -> Changed:
    """Mines the changed sessions, or only some of these; all of them after a version change of lessons.

    A session with a segment that is neither read nor given up waits for that. Everything is one transaction: a session
    counts as mined only once its candidates are written. A failed segment waits for its retry from `now` on.
    """
    changed = Changed(set(), set(), set())
    weights()  # an unusable file is reported before anything is changed
    with history.transaction():
        if history.sessions_to_mine.were_of_another_version():
            history.put_fingerprints(fingerprint)
        sessions = history.sessions_to_mine.names(window)
        if not history.sessions_to_mine.is_current(window):
            only = None
        elif unread := history.progress.unread_sessions():
            only = (sessions if only is None else set(only)) - unread
        if only is not None:
            sessions &= set(only)
        mined = _mine_sessions(history, sessions, window)
        history.progress.mined(sessions, mined.faults, VERSION, time.time() if now is None else now)
        parts = (
            group.candidates(history, mined.touched),
            corrections.candidates(history, bool(mined.corrected_calls)),
        )
        names = {row.fingerprint for made in parts for row in made.written}
        before = history.candidates.recurring(names)
        for made in parts:
            _store_candidates(history, made, changed)
        changed.recurring = history.candidates.recurring(names) - before
        changed.sessions = len(sessions)
        history.sessions_to_mine.done(None if only is None else sessions, window)
        if sessions:
            history.memory.made("")
    return changed


def _store_candidates(history: History, made: group.Made, changed: Changed) -> None:
    history.candidates.replace(made.written)
    history.candidates.remove(made.known.keys() - made.standing)
    after = history.candidates.occurrences(row.fingerprint for row in made.written)
    for row in made.written:
        before = len(made.known.get(row.fingerprint, ()))
        if not before:
            changed.new.add(row.fingerprint)
        elif after[row.fingerprint] > before:
            changed.updated.add(row.fingerprint)
