"""An open history in, its candidates of tier 2 and 3 made anew from every session that changed out."""

import sqlite3
from bisect import bisect_right
from collections.abc import Iterator
from functools import partial

import msgspec

from lessons.capture import mistake_candidates
from lessons.capture.corrections import candidates
from lessons.capture.corrections.find import correction
from lessons.capture.episode_row import row_of
from lessons.capture.episodes import episodes
from lessons.store.fault_boundary import analysed
from lessons.store.history import database, mined, sessions_to_mine
from lessons.store.history import episodes as found
from lessons.store.history.threads import Thread, threads

_MISTAKE, _CORRECTION = 2, 3


class Changed(msgspec.Struct):
    """Which candidates are new, and which have more evidence than before."""

    new: set[str]
    updated: set[str]
    recurring: set[str]  # now seen in several sessions, and before not


def mine(connection: sqlite3.Connection, window: int) -> Changed:
    """Everything in one transaction: a session counts as mined when its candidates are written, and not before."""
    changed = Changed(set(), set(), set())
    connection.execute("BEGIN IMMEDIATE")
    try:
        sessions = sessions_to_mine.sessions(connection, window)
        touched, said = _look_through(connection, sessions, window)
        before = mined.recurring(connection)
        corrected = found.corrected(connection)
        known = mined.evidence(connection, _MISTAKE)
        made = mistake_candidates.candidates(connection, touched, known, corrected)
        _store(connection, _MISTAKE, made, known, changed)
        known = mined.evidence(connection, _CORRECTION)
        _store(connection, _CORRECTION, candidates.candidates(connection, said, known), known, changed)
        changed.recurring = mined.recurring(connection) - before
        sessions_to_mine.done(connection, window)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    return changed


def _look_through(connection: sqlite3.Connection, sessions: set[str], window: int) -> tuple[set[str], bool]:
    """Returns the failed calls that were or are mistakes, and whether there was or is a correction."""
    touched = found.names(connection, sessions)
    rows: list[found.Row] = []
    said: list[found.Said] = []
    home = database.home_of(connection)
    for thread in threads(connection, sessions):
        more_rows, more_said = analysed(
            home,
            f"session {thread.session_id}",
            partial(_look_at, thread, window),
            lambda fault: (list[found.Row](), list[found.Said]()),
        )
        rows += more_rows
        said += more_said
    found.replace(connection, sessions, rows)
    had_some = found.replace_corrections(connection, sessions, said)
    return touched | {row.tool_use_id for row in rows}, had_some or bool(said)


def _look_at(thread: Thread, window: int) -> tuple[list[found.Row], list[found.Said]]:
    rows = [row_of(thread.session_id, episode) for episode in episodes(thread.steps, window, thread.own)]
    return rows, list(_corrections(thread))


def _corrections(thread: Thread) -> Iterator[found.Said]:
    """Each prompt is an answer to the last call before it."""
    times = [step.time for step in thread.steps]
    for asked in thread.prompts:
        place = bisect_right(times, asked.time)
        action = thread.steps[place - 1] if place and asked.time else None
        stopped = action is not None and action.outcome in ("refused", "interrupted")
        rule = correction(asked.text, asked.sureness, action, stopped)
        if rule and action:
            yield found.Said(asked.key, thread.session_id, rule.rule, rule.sureness, action.tool_use_id)


def _store(
    connection: sqlite3.Connection,
    tier: int,
    made: mistake_candidates.Made,
    known: dict[str, set[str]],
    changed: Changed,
) -> None:
    mined.put(connection, tier, made.written)
    mined.drop(connection, known.keys() - made.standing)
    for one in made.written:
        if one.kind != mistake_candidates.PROTOCOL:  # out of the queue: no news for anybody
            before = len(known.get(one.fingerprint, ()))
            if not before:
                changed.new.add(one.fingerprint)
            elif len(one.calls) + len(one.prompts) > before:
                changed.updated.add(one.fingerprint)
