"""The lessons of a user who promotes every candidate of the sessions that have ended."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from lessons.candidate import Occurrence, StoredCandidate, document_from
from lessons.config import Config
from lessons.match.call import ToolCall
from lessons.mistakes.good_calls import GoodCalls, is_shell, success_of
from lessons.mistakes.group import candidate_row, is_lesson, key_of, mistakes_of
from lessons.model import Lesson, lesson_from_document
from lessons.promote import intake
from lessons.promote.backtest import compiled
from lessons.promote.backtest_report import ENOUGH_CALLS
from lessons.promote.candidate import Candidate
from lessons.promote.decide import with_duplicates
from lessons.promote.draft import Choice, Tested, draft, fires_at_calls, tried_triggers
from lessons.promote.proposals import ANY, Family, Proposals, put_proposal
from lessons.promote.queue import Waiting, described, rank
from lessons.promote.review_case import fires_after, fires_before
from lessons.replay.acting import Learned, learned_from
from lessons.store.history.episodes import EpisodeRow
from lessons.store.history.history import History
from lessons.store.history.past_calls import (
    MOST_FAILURES,
    MOST_SUCCESSES,
    PastCalls,
    SessionCall,
    StoredCall,
)

_MOST_REMEMBERED = 100_000  # calls that were read completely
_OK, _FAILED = "ok", "failed"

FamilyKey = tuple[str, str, str]  # of a family; the tool alone, or only the program and its sub-command


class Newest:
    """The newest calls by time and name; at most `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: list[tuple[str, str]] = []

    def add(self, time: str, name: str) -> None:
        self._entries.append((time, name))

    def names(self) -> list[str]:
        """Returns names in the order of the history: newest first, then by name."""
        self._entries.sort()
        self._entries.sort(key=itemgetter(0), reverse=True)
        del self._entries[self._most :]
        return list(map(itemgetter(1), self._entries))


class CallsSoFar(PastCalls):
    """Answers the queries of proposals and mining without reading the whole history each time."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._good: dict[FamilyKey, Newest] = {}
        self._failed = Newest(MOST_FAILURES)
        self._calls: dict[str, ToolCall] = {}
        self._failures: dict[str, StoredCall] = {}

    def add(self, calls: Iterable[SessionCall]) -> None:
        """Adds the calls of a session that has ended."""
        for call in calls:
            if call.outcome == _OK and not call.suspicious:
                self._add_good(call)
            elif call.outcome == _FAILED and call.has_error:
                self._failed.add(call.time, call.tool_use_id)

    def _add_good(self, call: SessionCall) -> None:
        keys: list[FamilyKey] = []
        if call.program:
            keys += [("", call.program, call.subcommand), ("", call.program, ANY)]
        if not is_shell(call.tool):
            keys.append((call.tool, "", ""))
        for key in keys:
            if key not in self._good:
                self._good[key] = Newest(MOST_SUCCESSES)
            self._good[key].add(call.time, call.tool_use_id)

    def successes_of_program(self, program: str, subcommand: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        return self.named(self._names(("", program, subcommand))[:limit])

    def successes_with_any_subcommand(self, program: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        return self.named(self._names(("", program, ANY))[:limit])

    def successes_of_tool(self, tool: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        return self.named(self._names((tool, "", ""))[:limit])

    def newest_failures(self, limit: int = MOST_FAILURES) -> list[StoredCall]:
        names = self._failed.names()
        if len(self._failures) > 2 * MOST_FAILURES:
            self._failures = {name: self._failures[name] for name in names if name in self._failures}
        found = list(map(self._failures.get, names))
        if None in found:
            unread = [name for name, row in zip(names, found, strict=True) if row is None]
            self._failures.update((row.tool_use_id, row) for row in self.named(unread))
            found = list(map(self._failures.get, names))
        return [row for row in found if row is not None][:limit]

    def successes_in(self, family: Family) -> GoodCalls:
        """Returns the good calls of a family as triggers see them, newest first."""
        if not family.program and is_shell(family.tool):
            return GoodCalls()
        names = self._names(("" if family.program else family.tool, family.program, family.subcommand))
        if len(self._calls) > _MOST_REMEMBERED:
            self._calls.clear()
        found = list(map(self._calls.get, names))
        if None in found:
            unread = [name for name, call in zip(names, found, strict=True) if call is None]
            self._calls.update((row.tool_use_id, success_of(row)) for row in self.named(unread))
            found = list(map(self._calls.get, names))
        return GoodCalls.of_calls(call for call in found if call is not None)

    def _names(self, key: FamilyKey) -> list[str]:
        return self._good[key].names() if key in self._good else []


Key = tuple[str, str]


class Known(NamedTuple):
    """An episode, and where and when it happened."""

    row: EpisodeRow
    occurrence: Occurrence

    @property
    def order(self) -> tuple[str, str]:
        return self.occurrence.time, self.row.tool_use_id


class CandidatesSoFar:
    """Groups episodes in order of time, whatever was added first, as mining does.

    Only mistakes with new evidence are described again. Episodes with the same key belong together, and keys are
    compared only within one part (`mistakes_of`): one episode per key of a part decides how they are grouped.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._corrected = history.episodes.corrected_calls()
        self._of_key: dict[Key, list[Known]] = {}
        self._keys: dict[str, set[Key]] = {}  # by part
        self._names: dict[Key, str] = {}  # the fingerprint of the mistake that a key belongs to
        self._members: dict[str, set[Key]] = {}  # by fingerprint
        self._to_group: set[str] = set()
        self._changed: set[str] = set()
        self._no_lessons: set[str] = set()  # may become one without new evidence, or were one

    def add(self, episodes: Iterable[Known]) -> None:
        for known in episodes:
            key = key_of(known.row)
            group = self._of_key.setdefault(key, [])
            # A new key, or an earlier occurrence of a key, may change how its part is grouped.
            if not group or known.order < group[0].order:
                self._to_group.add(key[0])
            group.append(known)
            group.sort(key=lambda each: each.order)
            self._keys.setdefault(key[0], set()).add(key)
            if key in self._names:
                self._changed.add(self._names[key])

    def is_gone(self, name: str) -> bool:
        """Whether no mistake has this name any more, or no lesson can come from it."""
        return name not in self._members or name in self._no_lessons

    def changed(self, is_decided: Callable[[str], bool]) -> Iterator[StoredCandidate]:
        """Yields new candidates and those with new evidence since the last call; skips decided ones."""
        for part in sorted(self._to_group):
            self._group(part)
        self._to_group.clear()
        names, self._changed = sorted(self._changed | self._no_lessons), set()
        self._no_lessons.clear()
        for name in names:
            if name in self._members and not is_decided(name):
                group = self._group_of(name)
                if is_lesson([each.row for each in group]):
                    yield self._candidate(name, group)
                else:
                    self._no_lessons.add(name)

    def _group(self, part: str) -> None:
        before = {name: set(self._members[name]) for key in self._keys[part] if (name := self._names.get(key))}
        for name in before:
            del self._members[name]
        first = sorted((self._of_key[key][0] for key in self._keys[part]), key=lambda each: each.order)
        for name, rows in mistakes_of(each.row for each in first):
            keys = {key_of(row) for row in rows}
            self._members[name] = keys
            self._names.update(dict.fromkeys(keys, name))
            if keys != before.get(name):
                self._changed.add(name)

    def _group_of(self, name: str) -> list[Known]:
        return sorted((each for key in self._members[name] for each in self._of_key[key]), key=lambda each: each.order)

    def _candidate(self, name: str, group: list[Known]) -> StoredCandidate:
        row = candidate_row(self._history, name, [each.row for each in group], self._corrected)
        evidence = sorted((each.occurrence for each in group), key=lambda each: (each.time, each.session_id, each.uuid))
        return StoredCandidate(name, row.tier, row.kind, document_from(row.document), row.confidence, evidence)


SAMPLE = 2_000


class Breadth:
    """Estimates on a random sample of the calls so far whether a lesson would fire on too many of them."""

    def __init__(self) -> None:
        self._chance = random.Random(1)  # the same sample in each run
        self._sample: list[str] = []
        self._count = 0
        self._calls: dict[str, StoredCall] = {}

    def add(self, call: SessionCall) -> None:
        """Every call so far is in the sample with the same probability."""
        self._count += 1
        if len(self._sample) < SAMPLE:
            self._sample.append(call.tool_use_id)
        elif (place := int(self._count * self._chance.random())) < SAMPLE:
            self._calls.pop(self._sample[place], None)
            self._sample[place] = call.tool_use_id

    def tested(self, history: History, settings: Config, lesson: Lesson, failed: Sequence[str]) -> Tested:
        """Stands in for the back-test of a draft, of which a replay needs nothing else."""
        if not fires_at_calls(lesson):
            return Tested(None, [])
        rule = compiled(tried_triggers(lesson), lesson.scope).rule
        rule.state, rule.folder = {}, ()  # with conditions on the machine's state it fires on no more
        for row in history.calls.named(name for name in self._sample if name not in self._calls):
            self._calls[row.tool_use_id] = row
        hits = sum(fires_before(rule, row) or fires_after(rule, row) for row in self._calls.values())
        most = settings.max_trigger_share
        is_broad = self._count >= ENOUGH_CALLS and hits > most * len(self._sample)
        return Tested(None, [f"triggers would fire on more than {most:.0%} of all calls."] if is_broad else [])


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
