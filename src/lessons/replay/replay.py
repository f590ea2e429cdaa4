"""Replays a history: what lessons would have caught, if each mistake had become a lesson when its session ended.

A walk starts and ends sessions in the order of time. Before a session that repeats a mistake, the learner promotes
every new candidate of the sessions that have ended, with the code of the queue and of promotion. They read the history
through `History.as_of`, which hides all other sessions. Then the hook's own matching runs the session's calls against
these lessons. The history does not record files and programs of that time: a lesson that needs them stays quiet.
"""

import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from lessons.candidate import FAILURE, StoredCandidate
from lessons.config import Config
from lessons.match.call import folder_key
from lessons.replay.acting import ActingLessons, Begun, Replayed, SessionJudge
from lessons.replay.learner import Known, Learner, Refusal
from lessons.replay.report import ReplayReport, headline, report_of
from lessons.store.history.history import History
from lessons.store.history.past_calls import SessionCall
from lessons.store.history.sessions import SessionSpan


def only(since: str = "", folder: str = "", part: str = "") -> Callable[[SessionSpan], bool]:
    """Selects sessions started at this time or later, in a project in this folder, with this text in its path."""

    def counts(session: SessionSpan) -> bool:
        is_in_folder = not folder or folder_key(session.project).startswith(folder_key(folder))
        return session.start >= since and is_in_folder and part.lower() in session.project.lower()

    return counts


class Moment(NamedTuple):
    what: Literal["start", "end"]
    session: SessionSpan


def moments(sessions: Sequence[SessionSpan]) -> Iterator[Moment]:
    """A session has ended before another starts only if its last record is earlier; sessions may overlap."""
    ending = iter(sorted(sessions, key=lambda each: (each.end, each.session_id)))
    upcoming = next(ending, None)
    for session in sorted(sessions, key=lambda each: (each.start, each.session_id)):
        while upcoming and upcoming.end < session.start:
            yield Moment("end", upcoming)
            upcoming = next(ending, None)
        yield Moment("start", session)
    while upcoming:
        yield Moment("end", upcoming)
        upcoming = next(ending, None)


class Failure(NamedTuple):
    """A failed call that made a mistake; calls with the same mistake have the same name."""

    time: str
    tool_use_id: str
    session_id: str
    mistake: str
    place: str = ""  # a mistake made elsewhere is not repeated here


class Repeat(NamedTuple):
    """A failed call whose mistake was made in another session before."""

    tool_use_id: str
    mistake: str
    is_learnable: bool  # another session with it had ended before this one started


def failures_of(candidates: Iterable[StoredCandidate]) -> list[Failure]:
    """Returns the mistakes of the queue."""
    return [
        Failure(each.time, each.tool_use_id, each.session_id, candidate.fingerprint)
        for candidate in candidates
        for each in candidate.evidence
    ]


def repeats_in(failures: Iterable[Failure], sessions: Mapping[str, SessionSpan]) -> dict[str, list[Repeat]]:
    """Returns repeats by session; skips failures of sessions with unknown times."""
    found: dict[str, list[Repeat]] = {}
    before: dict[tuple[str, str], _Earlier] = {}
    for failure in sorted(failure for failure in failures if failure.session_id in sessions):
        own = sessions[failure.session_id]
        earlier = before.setdefault((failure.mistake, failure.place), _Earlier())
        end = earlier.first_end_besides(own.session_id)
        if end is not None:
            repeat = Repeat(failure.tool_use_id, failure.mistake, end < own.start)
            found.setdefault(own.session_id, []).append(repeat)
        earlier.add(own)
    return found


class _Earlier:
    """The two sessions with a mistake that ended first: at least one differs from the session of any failure."""

    def __init__(self) -> None:
        self._first: list[tuple[str, str]] = []

    def add(self, session: SessionSpan) -> None:
        self._first = sorted({*self._first, (session.end, session.session_id)})[:2]

    def first_end_besides(self, session_id: str) -> str | None:
        return next((end for end, name in self._first if name != session_id), None)


Watch = Callable[[int, int], None]  # how many sessions are done, and how many there are


class Walk:
    """One walk; `failures` are the mistakes it searches for."""

    def __init__(self, history: History, settings: Config, failures: Iterable[Failure]) -> None:
        self._history = history
        self._mistakes = {each.tool_use_id: each.mistake for each in failures}
        self._made: dict[str, list[str]] = {}  # by mistake, the failed calls of sessions that have ended
        self._episodes = _episodes_by_session(history)
        self._learner = Learner(history, settings)
        self._acting = ActingLessons(history, settings.injection_budget_bytes)
        self._lessons_about: dict[str, list[int]] = {}
        self._judge = SessionJudge(self._acting, self._lessons_about)

    def through(
        self,
        sessions: Sequence[SessionSpan],
        repeats: Mapping[str, list[Repeat]],
        judged: Container[str],
        watch: Watch = lambda done, total: None,
    ) -> Iterator[Replayed]:
        """Yields sessions with repeats, and those that start when lessons exist: they may disturb good calls there.

        Judges each session at its end, by the lessons that existed at its start: for a session without a repeat, those
        of the last one before it that has one. Judging a session does not change what is learned: parts of a history
        add up to the whole.
        """
        begun: dict[str, Begun] = {}
        wanted = [each for each in sessions if each.session_id in judged]
        is_any_repeated = any(each.session_id in repeats for each in wanted)
        last_start = max((each.start for each in wanted), default="") if is_any_repeated else ""
        ended, total = 0, sum(each.start <= last_start for each in sessions)
        for what, session in moments(sessions):
            name = session.session_id
            if session.start > last_start:
                continue
            if what == "start":
                begun[name] = self._begin(repeats.get(name, ()))
            else:
                calls = self._history.calls.of_session(name)
                if name in judged and (name in repeats or begun[name].lessons):
                    yield self._judge.judge(calls, repeats.get(name, ()), begun[name])
                self._end(name, calls)
                watch(ended := ended + 1, total)

    def _begin(self, repeats: Sequence[Repeat]) -> Begun:
        if repeats:
            self._learn()
        return Begun(len(self._acting.lessons), self._refused(repeats))

    def _end(self, session_id: str, calls: Sequence[SessionCall]) -> None:
        self._learner.end(session_id, calls, self._episodes.get(session_id, ()))
        for call in calls:
            if mistake := self._mistakes.get(call.tool_use_id):
                self._made.setdefault(mistake, []).append(call.tool_use_id)

    def _refused(self, repeats: Iterable[Repeat]) -> dict[str, Refusal]:
        """Returns for earlier mistakes why the last one considered led to no lesson."""
        refused, found = self._learner.refused, dict[str, Refusal]()
        for mistake in {each.mistake for each in repeats}:
            why = next((refused[name] for name in reversed(self._made.get(mistake, ())) if name in refused), None)
            if why:
                found[mistake] = why
        return found

    def _learn(self) -> None:
        known = len(self._learner.learned)
        self._learner.learn()
        new = self._learner.learned[known:]
        for number, each in enumerate(new, known):
            for mistake in {self._mistakes[call] for call in each.calls if call in self._mistakes}:
                self._lessons_about.setdefault(mistake, []).append(number)
        self._acting.add(new)


def _episodes_by_session(history: History) -> dict[str, list[Known]]:
    """Returns all episodes, even those without a candidate in the whole history: a part of it may have made one."""
    occurrences = history.episodes.occurrences()
    found: dict[str, list[Known]] = {}
    for row in history.episodes.all():
        if occurrence := occurrences.get(row.tool_use_id):
            found.setdefault(row.session_id, []).append(Known(row, occurrence))
    return found


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


class _TookTooLong(Exception):
    """The replay was aborted."""


def headline_for(
    home: str, settings: Config, watch: Watch = lambda done, total: None, most_seconds: float | None = None
) -> str:
    """Returns the sentence about the whole history of a data home; empty if the replay would take longer than this."""
    began = time.monotonic()

    def impatient(done: int, total: int) -> None:
        watch(done, total)
        if most_seconds is not None and time.monotonic() - began > most_seconds:
            raise _TookTooLong

    try:
        with History.for_reading(home) as history:
            return headline(replay(history, settings, watch=impatient))
    except _TookTooLong:
        return ""
