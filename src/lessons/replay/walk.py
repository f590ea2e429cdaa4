"""Walks through a history in the order of time and puts each repeated mistake to the lessons of its moment.

Before each session that repeats a mistake, every candidate that rests on sessions that had ended by then is promoted
as it is proposed. Then the session's calls are put to these lessons. Nothing of a later moment is looked at.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from lessons.candidate import PROTOCOL, StoredCandidate
from lessons.config import Config
from lessons.replay.acting import ActingLessons
from lessons.replay.candidates_so_far import Known
from lessons.replay.learner import Learner
from lessons.replay.repeats import Failure, Repeat
from lessons.replay.session import Replayed, SessionJudge
from lessons.replay.timeline import moments
from lessons.store.history.history import History
from lessons.store.history.sessions import SessionSpan


class Walk:
    """One walk; `candidates` are those that mining made of the whole history, `failures` the mistakes it looks for."""

    def __init__(
        self, history: History, settings: Config, candidates: Iterable[StoredCandidate], failures: Iterable[Failure]
    ) -> None:
        self._history = history
        self._mistakes = {each.tool_use_id: each.mistake for each in failures}
        self._episodes = _episodes_by_session(history, candidates)
        self._learner = Learner(history, settings)
        self._acting = ActingLessons(history, settings.injection_budget_bytes)
        self._lessons_about: dict[str, list[int]] = {}
        self._judge = SessionJudge(history, self._acting, self._lessons_about)

    def through(
        self, sessions: Sequence[SessionSpan], repeats: Mapping[str, list[Repeat]], judged: Container[str]
    ) -> Iterator[Replayed]:
        """The sessions with repeats. Each is judged when it ends, by the lessons that there were when it began.

        Whether a session is judged makes no difference to what is learned: parts of a history add up to the whole.
        """
        lessons_at_start: dict[str, int] = {}
        wanted = [each for each in sessions if each.session_id in repeats and each.session_id in judged]
        last_start = max((each.start for each in wanted), default="")
        for what, session in moments(sessions):
            name = session.session_id
            if what == "start" and name in repeats and session.start <= last_start:
                self._learn()
                lessons_at_start[name] = len(self._acting.lessons)
            elif what == "end" and (name in lessons_at_start or session.end < last_start):
                calls = self._history.calls.of_session(name)
                if name in lessons_at_start and name in judged:
                    yield self._judge.judge(calls, repeats[name], lessons_at_start[name])
                self._learner.end(name, calls, self._episodes.get(name, ()))

    def _learn(self) -> None:
        known = len(self._learner.learned)
        self._learner.learn()
        new = self._learner.learned[known:]
        for number, each in enumerate(new, known):
            for mistake in {self._mistakes[call] for call in each.calls if call in self._mistakes}:
                self._lessons_about.setdefault(mistake, []).append(number)
        self._acting.add(new)


def _episodes_by_session(history: History, candidates: Iterable[StoredCandidate]) -> dict[str, list[Known]]:
    occurrences = {each.tool_use_id: each for candidate in candidates for each in candidate.evidence}
    found: dict[str, list[Known]] = {}
    for row in history.episodes.all():
        occurrence = occurrences.get(row.tool_use_id)
        # The agent's own tool rules are a queue of their own, and no lesson comes of them.
        if occurrence and row.kind != PROTOCOL:
            found.setdefault(row.session_id, []).append(Known(row, occurrence))
    return found
