"""A history in, what lessons would have caught in it out."""

from collections.abc import Callable, Iterable

from lessons.candidate import FAILURE
from lessons.config import Config
from lessons.replay.repeats import Failure, failures_of, repeats_in
from lessons.replay.report import ReplayReport, report_of
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
    """`counts` says which sessions are judged; lessons are learned from all of them.

    `failures` names the mistakes by other means than mining: labels that a person gave them.
    """
    candidates = history.candidates.of_tier(FAILURE)
    named = list(failures_of(candidates) if failures is None else failures)
    sessions = history.sessions.spans()
    judged = {session.session_id for session in sessions if counts(session)}
    repeats = repeats_in(named, {session.session_id: session for session in sessions})
    replayed = Walk(history, settings, named).through(sessions, repeats, judged, watch)
    summaries = {candidate.fingerprint: candidate.document.summary for candidate in candidates}
    since = min((session.start for session in sessions if session.session_id in judged), default="")
    return report_of(replayed, summaries, since)
