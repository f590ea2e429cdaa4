"""An open history in, its candidates of tier 2 and 3 made anew from every session that changed out."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import partial

import msgspec

from lessons.candidate import CORRECTION, FAILURE, PROTOCOL
from lessons.capture import mistake_candidates
from lessons.capture.corrections import candidates
from lessons.capture.corrections.find import correction
from lessons.capture.episode_row import row_of
from lessons.capture.episodes import episodes
from lessons.failure.fingerprint import fingerprint
from lessons.store.fault_boundary import analysed
from lessons.store.history.episodes import CorrectionRow, EpisodeRow
from lessons.store.history.history import History
from lessons.store.history.threads import Thread


class Changed(msgspec.Struct):
    """Which candidates are new, and which have more evidence than before."""

    new: set[str]
    updated: set[str]
    recurring: set[str]  # now seen in several sessions, and before not


def mine(history: History, window: int) -> Changed:
    """Everything in one transaction: a session counts as mined when its candidates are written, and not before."""
    changed = Changed(set(), set(), set())
    with history.transaction():
        if history.sessions_to_mine.were_of_another_version():
            history.put_fingerprints(fingerprint)
        sessions = history.sessions_to_mine.names(window)
        touched, corrected = _look_through(history, sessions, window)
        before = history.candidates.recurring()
        known = history.candidates.evidence(FAILURE)
        _store(history, mistake_candidates.candidates(history, touched, known), known, changed)
        known = history.candidates.evidence(CORRECTION)
        _store(history, candidates.candidates(history, corrected, known), known, changed)
        changed.recurring = history.candidates.recurring() - before
        history.sessions_to_mine.done(window)
    return changed


def _look_through(history: History, sessions: set[str], window: int) -> tuple[set[str], bool]:
    """Returns the failed calls that were or are mistakes, and whether there was or is a correction."""
    touched = history.episodes.failed_calls(sessions)
    episodes_found: list[EpisodeRow] = []
    corrections: list[CorrectionRow] = []
    for thread in history.threads(sessions):
        more_episodes, more_corrections = analysed(
            history.home,
            f"session {thread.session_id}",
            partial(_look_at, thread, window),
            lambda fault: (list[EpisodeRow](), list[CorrectionRow]()),
        )
        episodes_found += more_episodes
        corrections += more_corrections
    history.episodes.replace(sessions, episodes_found)
    had_some = history.episodes.replace_corrections(sessions, corrections)
    return touched | {row.tool_use_id for row in episodes_found}, had_some or bool(corrections)


def _look_at(thread: Thread, window: int) -> tuple[list[EpisodeRow], list[CorrectionRow]]:
    rows = [row_of(thread.session_id, episode) for episode in episodes(thread.steps, window, thread.own)]
    return rows, list(_corrections(thread))


def _corrections(thread: Thread) -> Iterator[CorrectionRow]:
    """Each prompt is an answer to the last call before it."""
    times = [step.time for step in thread.steps]
    for prompt in thread.prompts:
        place = bisect_right(times, prompt.time)
        action = thread.steps[place - 1] if place and prompt.time else None
        stopped = action is not None and action.outcome in ("refused", "interrupted")
        rule = correction(prompt.text, prompt.sureness, action, stopped)
        if rule and action:
            yield CorrectionRow(prompt.key, thread.session_id, rule.rule, rule.sureness, action.tool_use_id)


def _store(history: History, made: mistake_candidates.Made, known: dict[str, set[str]], changed: Changed) -> None:
    history.candidates.replace(made.written)
    history.candidates.remove(known.keys() - made.standing)
    for row in made.written:
        if row.kind != PROTOCOL:  # out of the queue: no news for anybody
            before = len(known.get(row.fingerprint, ()))
            if not before:
                changed.new.add(row.fingerprint)
            elif len(row.calls) + len(row.prompts) > before:
                changed.updated.add(row.fingerprint)
