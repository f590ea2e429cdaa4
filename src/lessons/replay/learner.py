"""The lessons of a user who promotes every candidate of the sessions that have ended."""

from collections.abc import Iterable, Sequence
from typing import Literal

from lessons.config import Config
from lessons.model import Lesson, lesson_from_document
from lessons.promote.intake import intake
from lessons.promote.promotion.draft import Choice, draft
from lessons.promote.queue.candidate import Candidate
from lessons.promote.queue.proposals import Proposals
from lessons.promote.queue.proposed import put_proposal
from lessons.promote.queue.queue import Waiting, described, rank
from lessons.promote.queue.selection import with_duplicates
from lessons.replay.breadth import Breadth
from lessons.replay.calls_so_far import CallsSoFar
from lessons.replay.candidates_so_far import CandidatesSoFar, Known
from lessons.replay.learned import Learned, learned_from
from lessons.store.history.history import History
from lessons.store.history.past_calls import SessionCall

Refusal = Literal["no trigger", "refused"]

_SUFFIX_LENGTH = 4
_FEW_OCCURRENCES = 4  # occurrences
_UNSEEN = Choice(seen=False)  # like `promote --yes`: exactly as proposed


class Learner:
    """Knows only the sessions so far: promotion reads everything through `as_of`.

    A candidate is promoted once, as proposed when first considered. A refused one is retried when there is more
    evidence: from a few occurrences on, only when their number has doubled.
    """

    def __init__(self, history: History, settings: Config) -> None:
        self._settings = settings
        self._ended: set[str] = set()
        self._past = history.as_of(self._ended, CallsSoFar)
        assert isinstance(self._past.calls, CallsSoFar)
        self._calls = self._past.calls
        self._candidates = CandidatesSoFar(self._past)
        self._breadth = Breadth()
        self._waiting: dict[str, Waiting] = {}
        self._decided: set[str] = set()
        self._tried: dict[str, int] = {}  # how many occurrences a candidate had when it was refused
        self._lessons: list[Lesson] = []
        self.learned: list[Learned] = []
        self.refused: dict[str, Refusal] = {}  # by failed call, why it led to no lesson

    def end(self, session_id: str, calls: Sequence[SessionCall], episodes: Iterable[Known]) -> None:
        """Ends the session: from now on its events are known."""
        self._ended.add(session_id)
        self._calls.add(calls)
        for call in calls:
            self._breadth.add(call)
        self._candidates.add(episodes)

    def learn(self) -> None:
        """Promotes new candidates, in the order of the queue."""
        changed = self._changed()
        if not changed:
            return
        for name in [name for name in self._waiting if self._candidates.is_gone(name)]:
            del self._waiting[name]
        # As today's `promote` would: this machine is asked whether a program is on PATH.
        proposals = Proposals(self._past, self._calls.successes_in)
        for name in [each.candidate.fingerprint for each in self._queue() if each.candidate.fingerprint in changed]:
            if name in self._waiting and self._is_to_be_tried(name):  # not merged into a lesson meanwhile
                put_proposal(proposals, self._waiting[name].candidate, self._waiting[name].stored)
                self._promote(self._waiting[name].candidate)

    def _is_to_be_tried(self, name: str) -> bool:
        number = len(self._waiting[name].candidate.evidence)
        return number <= _FEW_OCCURRENCES or number >= 2 * self._tried.get(name, 0)

    def _changed(self) -> set[str]:
        """Queues candidates with new evidence, and returns their names."""
        found = set()
        for stored in self._candidates.changed(self._decided.__contains__):
            # A candidate is named after its first occurrence; it may have been decided under another of its names.
            if not self._decided.isdisjoint(stored.document.aliases):
                self._decided.add(stored.fingerprint)
                self._waiting.pop(stored.fingerprint, None)
                continue
            self._waiting[stored.fingerprint] = described(self._past.home, stored, self._settings)
            found.add(stored.fingerprint)
        return found

    def _queue(self) -> list[Waiting]:
        return sorted(self._waiting.values(), key=rank)

    def _promote(self, candidate: Candidate) -> None:
        everyone = [each.candidate for each in self._queue()]
        together = with_duplicates(candidate, everyone)
        test = self._breadth.tested
        made = draft(self._past, self._settings, candidate, _UNSEEN, self._lessons, together[1:], test)
        if made.problems or made.objections:
            self._tried[candidate.fingerprint] = len(candidate.evidence)
            why: Refusal = "refused" if candidate.proposed_trigger else "no trigger"
            self.refused.update((each.tool_use_id, why) for each in candidate.evidence if each.tool_use_id)
            return
        record = intake.normalise(made.document)
        # The random suffix of a slug would make two runs differ.
        record["slug"] = f"{record['slug']}"[:-_SUFFIX_LENGTH] + candidate.fingerprint[-_SUFFIX_LENGTH:]
        lesson = lesson_from_document(record)
        self._lessons.append(lesson)
        calls = [each.tool_use_id for one in together for each in one.evidence if each.tool_use_id]
        if acting := learned_from(lesson, self._settings, calls):
            self.learned.append(acting)
        for each in together:
            del self._waiting[each.fingerprint]
            self._decided.add(each.fingerprint)
