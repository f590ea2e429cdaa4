"""`.session-state.json`: the number of a session, when it started and ended, and how the previous one ended."""

from collections.abc import Callable

from msgspec.structs import replace

from lessons.session import PreviousSession, SessionState
from lessons.store.project_state.state_files import session_states
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import seconds

own_file, latest_file = session_states.own_file, session_states.latest_file
read_of, read_latest, all_of = session_states.read_of, session_states.read_latest, session_states.read_all


def begin(
    paths: StatePaths,
    session_id: str,
    started_at: str,
    process: int,
    is_alive: Callable[[int], bool],
    agent: str = "claude-code",
) -> SessionState:
    """Gives a new session the next number; a session that was here before keeps its own and runs again."""
    with locked_state(paths) as here:
        known = read_of(here, session_id)
        if known is None:
            state = _new(here, session_id, started_at, process, is_alive)
            state.agent = agent
        else:
            state = _again(known, started_at, process)
            if known.process == 0 and known.previous:
                # Its end was written first, by a process that could not check the previous session's process.
                before = read_of(here, known.previous.session_id)
                state.previous = _previous(before, is_alive) if before else known.previous
        session_states.put(here, session_id, state)
        return state


def end(paths: StatePaths, session_id: str, ended_at: str, reason: str) -> SessionState:
    """Records the end, even before the start is recorded: both are written in the background, in any order."""
    with locked_state(paths) as here:
        known = read_of(here, session_id)
        if known and seconds(known.resumed_at or known.started_at) > seconds(ended_at):
            return known  # it has started again since
        state = known or _new(here, session_id, ended_at, 0, lambda process: True)
        state = replace(state, ended_at=ended_at, end_reason=reason)
        latest = read_latest(here)
        # Another session that started since stays the latest.
        is_latest = latest is None or known is None or _is(latest, session_id)
        session_states.put(here, session_id, state, is_latest)
        return state


def _new(
    paths: StatePaths, session_id: str, started_at: str, process: int, is_alive: Callable[[int], bool]
) -> SessionState:
    others = [state for state in all_of(paths) if not _is(state, session_id)]
    latest = read_latest(paths)
    if latest is None or _is(latest, session_id):
        latest = max(others, key=lambda state: state.session, default=None)
    number = 1 + max((state.session for state in [*others, *([latest] if latest else [])]), default=0)
    previous = _previous(latest, is_alive) if latest else None
    return SessionState(
        session_id=session_id, started_at=started_at, session=number, process=process, previous=previous
    )


def _previous(latest: SessionState, is_alive: Callable[[int], bool]) -> PreviousSession:
    # An unknown process cannot be checked.
    unclean = latest.ended_at is None and latest.process > 0 and not is_alive(latest.process)
    return PreviousSession(
        session_id=latest.session_id, started_at=latest.started_at, session=latest.session, unclean_end=unclean
    )


def _again(known: SessionState, started_at: str, process: int) -> SessionState:
    began = seconds(started_at)
    if 0 < began < seconds(known.started_at):
        # The first record was its end, a look at its work, or, if a process is known, that it was resumed.
        resumed_at = known.resumed_at or (known.started_at if known.process else None)
        return replace(known, started_at=started_at, resumed_at=resumed_at, process=known.process or process)
    if began < seconds(known.resumed_at or known.started_at):
        return known
    state = replace(known, process=process or known.process)
    if began > seconds(known.started_at):
        state.resumed_at = started_at
    if known.ended_at is not None and began > seconds(known.ended_at):
        state = replace(state, ended_at=None, end_reason=None)
    return state


def _is(state: SessionState, session_id: str) -> bool:
    """Compares ids as the file spells them, without half surrogate pairs."""
    return state.session_id.encode() == session_id.encode("utf-8", "replace")
