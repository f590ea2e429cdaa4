"""The lessons of a user who promotes every candidate of the sessions that have ended."""

from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from lessons.candidate import FAILURE, Occurrence, StoredCandidate, document_from
from lessons.config import Config
from lessons.match.rule import Rule
from lessons.mistakes.good_calls import GoodCalls
from lessons.mistakes.group import candidate_row, is_lesson
from lessons.model import Lesson, lesson_from_document
from lessons.promote import intake
from lessons.promote.backtest import own_rule
from lessons.promote.backtest_report import ENOUGH_CALLS
from lessons.promote.candidate import Candidate
from lessons.promote.draft import Choice, Tested, fires_at_calls, make_draft
from lessons.promote.matching import judged
from lessons.promote.proposals import Family, Proposals, put_proposal, remembered_successes
from lessons.promote.publish.build import left_out, published_entry
from lessons.promote.queue import Waiting, described, rank, with_duplicates
from lessons.replay.report import LessonName
from lessons.store.history.episodes import EpisodeRow
from lessons.store.history.history import History
from lessons.store.history.past_calls import SessionCall
from lessons.store.manifest import PublishedLesson, compile_source

Refusal = Literal["no trigger", "refused"]

_SUFFIX_LENGTH = 4
_FEW_OCCURRENCES = 4
_UNSEEN = Choice(seen=False)  # like `promote --yes`: exactly as proposed


class Hits(NamedTuple):
    """The calls of a history on which a rule fires, by id."""

    at_call: frozenset[str]
    at_error: frozenset[str]  # only after they failed
    unknown: frozenset[str]  # whether its conditions on the machine's state held is not recorded


_NO_HITS = Hits(frozenset(), frozenset(), frozenset())


def hits_of(history: History, rule: Rule) -> Hits:
    """The same calls as in a back-test."""
    at_call, at_error, unknown = set[str](), set[str](), set[str]()
    for past, verdict in judged(history, rule):
        found = unknown if verdict.is_unknown else at_error if verdict.is_at_error else at_call
        found.add(past.tool_use_id)
    return Hits(frozenset(at_call), frozenset(at_error), frozenset(unknown))


class Learned(NamedTuple):
    """An active lesson, the failed calls it was learned from, and the calls of the whole history on which it fires."""

    lesson: PublishedLesson
    calls: frozenset[str]
    hits: Hits
    fingerprint: str = ""  # of its candidate

    @property
    def name(self) -> LessonName:
        return LessonName(self.lesson.slug, self.fingerprint, self.lesson.summary)


class Learner:
    """Knows only the sessions that have ended: promotion reads the history through `as_of`.

    A candidate is promoted once, as proposed when first considered. A refused one is retried when there is more
    evidence: from a few occurrences on, only when their number has doubled.
    """

    def __init__(self, history: History, settings: Config) -> None:
        self._history = history
        self._settings = settings
        self._ended: set[str] = set()
        self._calls: set[str] = set()  # of these sessions
        self._past = history.as_of(self._ended)
        self._successes = remembered_successes(history)
        self._corrected = history.episodes.corrected_calls()
        self._to_come = _by_session(history)
        self._so_far: dict[str, list[tuple[EpisodeRow, Occurrence]]] = {}  # by candidate
        self._changed: set[str] = set()
        self._waiting: dict[str, Waiting] = {}
        self._decided: set[str] = set()
        self._tried: dict[str, int] = {}  # how many occurrences a candidate had when it was refused
        self._lessons: list[Lesson] = []
        self._hits = _NO_HITS  # of the lesson that was drafted last
        self.refused: dict[str, Refusal] = {}  # by failed call, why it led to no lesson

    def end(self, session_id: str, calls: Sequence[SessionCall]) -> None:
        """Ends the session: from now on its events are known."""
        self._ended.add(session_id)
        self._calls.update(call.tool_use_id for call in calls)
        for name, row, occurrence in self._to_come.pop(session_id, ()):
            if name not in self._decided:
                self._so_far.setdefault(name, []).append((row, occurrence))
                self._changed.add(name)

    def learn(self) -> list[Learned]:
        """Promotes candidates with new evidence, in the order of the queue; returns the new lessons that act."""
        changed, self._changed = self._changed, set()
        for name in changed:
            if stored := self._candidate(name):
                self._waiting[name] = described(self._past.home, stored, self._settings)
        # As today's `promote` would: this machine is asked whether a program is on PATH.
        proposals = Proposals(self._past, cache(self._successes_so_far))
        learned = []
        for name in [each.candidate.fingerprint for each in self._queue()]:
            if name in changed and name in self._waiting and self._is_to_be_tried(name):  # not merged meanwhile
                put_proposal(proposals, self._waiting[name].candidate, self._waiting[name].stored)
                learned += self._promoted(self._waiting[name].candidate)
        return learned

    def _candidate(self, name: str) -> StoredCandidate | None:
        """Describes the mistake by its evidence so far; None while that is not enough for a lesson."""
        known = sorted(self._so_far[name], key=lambda each: (each[1].time, each[1].session_id, each[1].uuid))
        rows = [row for row, _ in known]
        if not is_lesson(rows):
            return None
        row = candidate_row(self._past, name, rows, self._corrected)
        evidence = [occurrence for _, occurrence in known]
        return StoredCandidate(name, row.tier, row.kind, document_from(row.document), row.confidence, evidence)

    def _successes_so_far(self, family: Family) -> GoodCalls:
        return GoodCalls(call for call in self._successes(family) if call.tool_use_id in self._calls)

    def _is_to_be_tried(self, name: str) -> bool:
        number = len(self._waiting[name].candidate.evidence)
        return number <= _FEW_OCCURRENCES or number >= 2 * self._tried.get(name, 0)

    def _queue(self) -> list[Waiting]:
        return sorted(self._waiting.values(), key=rank)

    def _promoted(self, candidate: Candidate) -> list[Learned]:
        together = with_duplicates(candidate, [each.candidate for each in self._queue()])
        made = make_draft(self._past, self._settings, candidate, _UNSEEN, self._lessons, together[1:], self._tested)
        if made.problems or made.objections:
            self._tried[candidate.fingerprint] = len(candidate.evidence)
            why: Refusal = "refused" if candidate.proposed_trigger else "no trigger"
            self.refused.update((each.tool_use_id, why) for each in candidate.evidence if each.tool_use_id)
            return []
        for each in together:
            del self._waiting[each.fingerprint]
            self._decided.add(each.fingerprint)
        record = intake.normalise(made.document)
        # The random suffix of a slug would make two runs differ.
        record["slug"] = f"{record['slug']}"[:-_SUFFIX_LENGTH] + candidate.fingerprint[-_SUFFIX_LENGTH:]
        lesson = lesson_from_document(record)
        self._lessons.append(lesson)
        published, reason = published_entry(lesson)
        if reason or left_out(lesson, self._settings):
            return []
        calls = frozenset(each.tool_use_id for one in together for each in one.evidence if each.tool_use_id)
        name = candidate.fingerprint
        return [Learned(PublishedLesson(lesson.id, published.entry, compile_source), calls, self._hits, name)]

    def _tested(self, history: History, settings: Config, lesson: Lesson, failed: Sequence[str]) -> Tested:
        """Stands in for the back-test of a draft, of which a replay needs nothing but where the lesson fires."""
        rule = own_rule(lesson) if fires_at_calls(lesson) else None
        self._hits = hits_of(self._history, rule) if rule else _NO_HITS
        number = len((self._hits.at_call | self._hits.at_error) & self._calls)
        most = settings.max_trigger_share
        is_broad = len(self._calls) >= ENOUGH_CALLS and number > most * len(self._calls)
        return Tested(None, [f"triggers would fire on more than {most:.0%} of all calls."] if is_broad else [])


def _by_session(history: History) -> dict[str, list[tuple[str, EpisodeRow, Occurrence]]]:
    """Returns the evidence of all candidates, with the name of each."""
    rows = {row.tool_use_id: row for row in history.episodes.all()}
    found: dict[str, list[tuple[str, EpisodeRow, Occurrence]]] = {}
    for candidate in history.candidates.of_tier(FAILURE):
        for occurrence in candidate.evidence:
            if row := rows.get(occurrence.tool_use_id):
                found.setdefault(occurrence.session_id, []).append((candidate.fingerprint, row, occurrence))
    return found
