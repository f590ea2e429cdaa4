"""Finds from when to when a session ran, by its state files."""

import os
from datetime import UTC, datetime
from typing import NamedTuple

from lessons.store.project_state import documents
from lessons.store.project_state.state_files import handoffs, session_states, work_file
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import time_of


class Times(NamedTuple):
    first: str
    last: str


def times_of(place: StatePaths, folder: str) -> Times:
    """Returns the times of the session with this folder; if its files do not say, when the folder was changed."""
    state = documents.read(place, f"{folder}/{session_states.name}", session_states.kind)
    work = documents.read(place, f"{folder}/{work_file.name}", work_file.kind)
    handoff = documents.read(place, f"{folder}/{handoffs.name}", handoffs.kind)
    recorded: list[str | None] = [state.started_at, state.resumed_at, state.ended_at] if state else []
    recorded += [work.first_time, work.last_time] if work else []
    recorded += [handoff.timestamp] if handoff else []
    known = sorted(time for time in recorded if time)
    known = known or [changed_at(folder)]
    return Times(known[0], known[-1])


def changed_at(path: str) -> str:
    return time_of(datetime.fromtimestamp(os.lstat(path).st_mtime, UTC))
