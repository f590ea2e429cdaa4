"""Runs a trigger against the history to find what a lesson with it would have done."""

import math
from collections import Counter
from collections.abc import Callable, Collection
from datetime import datetime
from typing import NamedTuple

import msgspec

from lessons.errors import Refused
from lessons.failure.error_text import telling_line
from lessons.match.rule import Rule
from lessons.match.time_limit import is_slow
from lessons.model import Lesson, Scope, Triggers
from lessons.promote.matching import FAILED, OK, judged, reads_arguments
from lessons.promote.publish import entry as entries
from lessons.promote.publish.slow import find_danger
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall
from lessons.store.manifest import PublishedLesson, compile_source

EVERYWHERE = Scope(type="global")


class Compiled(NamedTuple):
    """The rule as the hook has it, and one sentence for each pattern that is left out."""

    rule: Rule
    left_out: list[str]


def own_rule(lesson: Lesson) -> Rule | None:
    """Returns the rule of a stored lesson; None if publishing leaves the lesson out.

    Its patterns are not probed: what is slow is interrupted when it is matched (match/time_limit.py).
    """
    entry = entries.entry_without_literals(lesson).entry
    if entries.is_unusable(lesson, entry):
        return None
    return PublishedLesson(lesson.slug, entry, compile_source).rule


def compiled(triggers: Triggers, scope: Scope = EVERYWHERE, block_or_stop: bool = False) -> Compiled:
    """Returns what a lesson with this trigger would do; raises Refused if publishing would leave the lesson out."""
    words = Lesson(id="tried", slug="tried", summary="", problem="", solution="")
    lesson = msgspec.structs.replace(words, triggers=triggers, scope=scope, stop_once=block_or_stop)
    published = entries.entry_without_literals(lesson, find_danger)
    if entries.is_unusable(lesson, published.entry):
        raise Refused(" ".join(published.left_out) or "The trigger is empty: give a pattern or a tool.")
    return Compiled(PublishedLesson("tried", published.entry, compile_source).rule, published.left_out)


_MOST_EXAMPLES = 10
_MOST_TEXTS = 1_000  # that are remembered before only the best are kept
_LONGEST_TEXT = 300


class Example(msgspec.Struct, frozen=True, rename="camel"):
    tool_use_id: str
    session: str
    project: str
    time: str
    tool: str
    command: str  # the arguments, for other tools without a path
    path: str
    error: str  # the line that names the cause
    same: bool  # failed with the error that the lesson is about
    suspicious: bool  # succeeded by its exit code, but looks like a failure


class Sample:
    """Keeps the best hits, each text once: marked ones first, then the newest."""

    def __init__(self) -> None:
        self._by_text: dict[str, tuple[bool, str, str, PastCall]] = {}

    def add(self, past: PastCall, marked: bool) -> None:
        text, rank = past.command or past.path or past.arguments, (marked, past.time, past.tool_use_id)
        if text not in self._by_text or self._by_text[text][:3] < rank:
            self._by_text[text] = (*rank, past)
        if len(self._by_text) > _MOST_TEXTS:
            self._by_text = {each[3].command or each[3].path or each[3].arguments: each for each in self._best()}

    def shown(self, same: frozenset[str]) -> list[Example]:
        return [_example(past, past.error_fingerprint in same) for *_, past in self._best()]

    def _best(self) -> list[tuple[bool, str, str, PastCall]]:
        return sorted(self._by_text.values(), key=lambda each: each[:3], reverse=True)[:_MOST_EXAMPLES]


def _example(past: PastCall, same: bool) -> Example:
    return Example(
        tool_use_id=past.tool_use_id,
        session=past.session_id,
        project=past.project,
        time=past.time,
        tool=past.tool,
        command=_short(past.command or ("" if past.path else past.arguments)),
        path=_short(past.path),
        error=_short(telling_line(past.error)),
        same=same and past.outcome == "failed",
        suspicious=bool(past.suspicious),
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"


_Z = 1.959964  # 95 %
_SECONDS_OF_A_WEEK = 7 * 86_400.0


class Precision(msgspec.Struct, frozen=True):
    """The share of hits that failed, and its interval; unknown without hits."""

    value: float | None
    low: float
    high: float


class Examples(msgspec.Struct, frozen=True):
    """The most informative hits on either side."""

    failed: list[Example]
    ok: list[Example]


class Outcomes(msgspec.Struct, frozen=True, rename="camel"):
    """The outcomes of some hits."""

    failed_same: int = 0
    failed_other: int = 0
    ok: int = 0
    unknown: int = 0
    suspicious: int = 0  # out of `ok`: their output looks like a failure

    @property
    def good(self) -> int:
        return self.ok - self.suspicious

    @property
    def failed(self) -> int:
        return self.failed_same + self.failed_other


class Report(msgspec.Struct, frozen=True, rename="camel"):
    """`hits` counts every hit; `others` leaves out the calls that the lesson was learned from."""

    hits: int
    sessions: int
    projects: int
    failed_same: int
    failed_other: int
    ok: int
    unknown: int  # refused, cancelled, interrupted or unknown; those of state_unknown too
    judged: int  # outside of its source sessions, known to have succeeded, or to have failed as the lesson says
    precision: Precision
    caught: float | None  # the share of the failures that it was made for
    per_week: float  # sessions in which it would have been shown
    examples: Examples
    state_unknown: int = 0  # calls that are not hits: whether the conditions on the state held is unknown
    learned_from: int = 0  # calls of the history that it was made for
    learned_hits: int = 0  # how many of these it fires on
    learned_unknown: int = 0  # those of state_unknown that it was made for
    others: Outcomes = Outcomes()

    @property
    def tested(self) -> int:
        """The number of calls that can test the trigger: those that it was not learned from."""
        return self.others.failed + self.others.good if self.learned_from else self.judged


def backtest(
    history: History,
    triggers: Triggers,
    *,
    scope: Scope | None = None,
    source_sessions: Collection[str] = (),
    error_fingerprints: Collection[str] = (),
    failed_calls: Collection[str] = (),
    since: str = "",
    block_or_stop: bool = False,
) -> Report:
    """Runs over every call of the history; raises Refused if publishing would leave such a lesson out.

    `source_sessions` are those that the lesson comes from, which prove nothing about it. `error_fingerprints` are those
    of its error, else the most common error of its hits. `failed_calls` are the calls it was made for.
    """
    rule = compiled(triggers, scope or EVERYWHERE, block_or_stop).rule
    tally = _Tally(frozenset(source_sessions), frozenset(error_fingerprints), frozenset(failed_calls))
    # Before that moment failed calls have their arguments, but successful ones may not: only its own calls count.
    compacted = history.compaction.lost_before() if reads_arguments(rule) else ""
    for past, verdict in judged(history, rule, since):
        if past.time < compacted and past.tool_use_id not in tally.failed_calls:
            continue
        if verdict.is_unknown:
            tally.state_unknown += 1
            tally.learned_unknown += past.tool_use_id in tally.failed_calls
        else:
            tally.add(past)
    if is_slow(rule):
        raise Refused("A pattern of the trigger takes more than 50 ms on a call of the history: simplify it.")
    first, last = history.calls.time_span()
    try:
        passed = datetime.fromisoformat(last) - datetime.fromisoformat(max(first, since, compacted))
        weeks = max(passed.total_seconds() / _SECONDS_OF_A_WEEK, 1.0)
    except (ValueError, TypeError):  # empty, or not a time
        weeks = 1.0
    return tally.report(weeks, history.calls.count_named(failed_calls, since))


class _Hit(NamedTuple):
    outcome: str
    error: str  # the fingerprint
    suspicious: bool
    is_learned: bool  # the lesson was made for it
    is_elsewhere: bool  # outside of the sessions that the lesson comes from


class _Tally:
    """Counts hits one by one and stores only what the report needs."""

    def __init__(
        self, source_sessions: frozenset[str], error_fingerprints: frozenset[str], failed_calls: frozenset[str]
    ) -> None:
        self.source_sessions = source_sessions
        self.error_fingerprints = error_fingerprints
        self.failed_calls = failed_calls
        self.sessions: set[str] = set()
        self.projects: set[str] = set()
        self.hits: Counter[_Hit] = Counter()
        self.state_unknown = 0
        self.learned_unknown = 0
        self.failed = Sample()
        self.ok = Sample()

    def add(self, past: PastCall) -> None:
        is_elsewhere = past.session_id not in self.source_sessions
        is_learned = past.tool_use_id in self.failed_calls
        self.sessions.add(past.session_id)
        self.projects.add(past.project)
        self.hits[_Hit(past.outcome, past.error_fingerprint, bool(past.suspicious), is_learned, is_elsewhere)] += 1
        if past.outcome == FAILED:
            self.failed.add(past, past.error_fingerprint in self.error_fingerprints)
        elif past.outcome == OK:
            self.ok.add(past, is_elsewhere)

    def report(self, weeks: float, known_failures: int) -> Report:
        errors: Counter[str] = Counter()
        for hit, number in self.hits.items():
            errors[hit.error] += number if hit.outcome == FAILED and hit.error else 0
        # The fingerprint decides between errors that are as common.
        common = min(errors, key=lambda each: (-errors[each], each), default="")
        same = self.error_fingerprints or frozenset({common} if common else ())
        everything = self._outcomes(same, lambda hit: True)
        learned = self._count(lambda hit: hit.is_learned)
        # A success that looks like a failure proves nothing about the failures it was made for.
        judged = self._outcomes(
            self.error_fingerprints,
            lambda hit: hit.is_elsewhere and not (self.failed_calls and hit.outcome == OK and hit.suspicious),
        )
        # An error of another kind speaks neither for the lesson nor against it.
        right = judged.failed_same if self.error_fingerprints else judged.failed
        return Report(
            hits=self.hits.total(),
            sessions=len(self.sessions),
            projects=len(self.projects - {""}),
            failed_same=everything.failed_same,
            failed_other=everything.failed_other,
            ok=everything.ok,
            unknown=everything.unknown + self.state_unknown,
            state_unknown=self.state_unknown,
            judged=right + judged.ok,
            precision=wilson(right, right + judged.ok),
            caught=learned / known_failures if known_failures else None,
            per_week=round(len(self.sessions) / weeks, 2),
            examples=Examples(self.failed.shown(same), self.ok.shown(same)),
            learned_from=known_failures,
            learned_hits=learned,
            learned_unknown=self.learned_unknown,
            others=self._outcomes(same, lambda hit: not hit.is_learned),
        )

    def _count(self, is_meant: Callable[[_Hit], bool]) -> int:
        return sum(number for hit, number in self.hits.items() if is_meant(hit))

    def _outcomes(self, same: frozenset[str], is_meant: Callable[[_Hit], bool]) -> Outcomes:
        failed = self._count(lambda hit: is_meant(hit) and hit.outcome == FAILED)
        failed_same = self._count(lambda hit: is_meant(hit) and hit.outcome == FAILED and hit.error in same)
        ok = self._count(lambda hit: is_meant(hit) and hit.outcome == OK)
        return Outcomes(
            failed_same=failed_same,
            failed_other=failed - failed_same,
            ok=ok,
            unknown=self._count(is_meant) - failed - ok,
            suspicious=self._count(lambda hit: is_meant(hit) and hit.outcome == OK and hit.suspicious),
        )


def wilson(right: int, total: int) -> Precision:
    """Returns the share, and the interval that contains the true one with a probability of 95 %."""
    if not total:
        return Precision(None, 0.0, 1.0)
    share, squared = right / total, _Z * _Z
    middle = share + squared / (2 * total)
    margin = _Z * math.sqrt(share * (1 - share) / total + squared / (4 * total * total))
    scale = 1 + squared / total
    low, high = max(0.0, (middle - margin) / scale), min(1.0, (middle + margin) / scale)
    return Precision(round(share, 4), round(low, 4), round(high, 4))
