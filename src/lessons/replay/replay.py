"""Replays a history: what lessons would have caught in it."""

from collections.abc import Callable, Iterable, Iterator

from lessons.candidate import FAILURE
from lessons.config import Config
from lessons.replay.repeats import Failure, failures_of, repeats_in
from lessons.replay.report import ReplayReport, report_of
from lessons.replay.session import Replayed
from lessons.replay.walk import Walk, Watch
from lessons.store.history.history import History
from lessons.store.history.sessions import SessionSpan


def replay(
    history: History,
    settings: Config,
    counts: Callable[[SessionSpan], bool] = lambda session: True,
    failures: Iterable[Failure] | None = None,
    watch: Watch = lambda done, total: None,
) -> ReplayReport:
    """`counts` selects the sessions to judge; lessons are learned from all sessions.

    `failures` names the mistakes by other means than mining, such as labels that a person gave them.
    """
    candidates = history.candidates.of_tier(FAILURE)
    named = failures_of(candidates) if failures is None else failures
    sessions, since = replayed(history, settings, counts, named, watch)
    summaries = {candidate.fingerprint: candidate.document.summary for candidate in candidates}
    return report_of(sessions, summaries, since)


def replayed(
    history: History,
    settings: Config,
    counts: Callable[[SessionSpan], bool],
    failures: Iterable[Failure],
    watch: Watch = lambda done, total: None,
) -> tuple[Iterator[Replayed], str]:
    """Returns what would have happened in each judged session, and when the first of them started."""
    named = list(failures)
    sessions = history.sessions.spans()
    judged = {session.session_id for session in sessions if counts(session)}
    repeats = repeats_in(named, {session.session_id: session for session in sessions})
    since = min((session.start for session in sessions if session.session_id in judged), default="")
    return Walk(history, settings, named).through(sessions, repeats, judged, watch), since
