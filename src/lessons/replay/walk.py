"""Walks through a history in order of time and tests each repeated mistake against the lessons of its time.

Before each session that repeats a mistake, promotes every candidate from sessions ended by then, as proposed. Then
matches the session's calls against these lessons. Never uses later data.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

from lessons.candidate import PROTOCOL
from lessons.config import Config
from lessons.replay.acting import ActingLessons
from lessons.replay.candidates_so_far import Known
from lessons.replay.learner import Learner, Refusal
from lessons.replay.repeats import Failure, Repeat
from lessons.replay.session import Begun, Replayed, SessionJudge
from lessons.replay.timeline import moments
from lessons.store.history.history import History
from lessons.store.history.past_calls import SessionCall
from lessons.store.history.sessions import SessionSpan

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
        occurrence = occurrences.get(row.tool_use_id)
        # The agent's own tool rules have a separate queue and lead to no lesson.
        if occurrence and row.kind != PROTOCOL:
            found.setdefault(row.session_id, []).append(Known(row, occurrence))
    return found
