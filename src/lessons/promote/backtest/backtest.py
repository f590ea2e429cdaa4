"""Runs a trigger against the history to find what a lesson with it would have done."""

import math
from collections import Counter
from collections.abc import Collection
from datetime import datetime

import msgspec

from lessons.model import Scope, Triggers
from lessons.promote.backtest.examples import Example, Sample
from lessons.promote.backtest.matching import FAILED, ProbeOf, judged
from lessons.promote.backtest.rule import EVERYWHERE, compiled
from lessons.promote.backtest.where import reads_arguments
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall

OK = "ok"
_Z = 1.959964  # 95 %
_DAYS_OF_A_WEEK = 7.0
_SECONDS_OF_A_DAY = 86_400.0


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
    judged: int  # outside of its source sessions, known to have succeeded or failed
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
    probe_of: ProbeOf | None = None,
) -> Report:
    """Runs over every call of the history; raises Refused if publishing would leave such a lesson out.

    `source_sessions` are those that the lesson comes from, which prove nothing about it. `error_fingerprints` are those
    of its error, else the most common error of its hits. `failed_calls` are the calls it was made for. `probe_of`
    returns the state of a call; by default the state that the history records.
    """
    rule = compiled(triggers, scope or EVERYWHERE, block_or_stop).rule
    tally = _Tally(frozenset(source_sessions), frozenset(error_fingerprints), frozenset(failed_calls))
    # Before that moment failed calls have their arguments, but successful ones may not: only its own calls count.
    compacted = history.compaction.lost_before() if reads_arguments(rule) else ""
    for past, verdict in judged(history, rule, since, probe_of):
        if past.time < compacted and past.tool_use_id not in tally.failed_calls:
            continue
        if verdict.is_unknown:
            tally.state_unknown += 1
            tally.learned_unknown += past.tool_use_id in tally.failed_calls
        else:
            tally.add(past)
    weeks = _weeks(*history.calls.time_span(), max(since, compacted))
    return tally.report(weeks, history.calls.count_named(failed_calls, since))


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
        self.outcomes: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()  # of failed hits, by fingerprint
        self.elsewhere: Counter[str] = Counter()  # outcomes outside of its source sessions
        self.errors_elsewhere: Counter[str] = Counter()
        self.learned: Counter[str] = Counter()  # outcomes of the hits that it was made for
        self.learned_errors: Counter[str] = Counter()
        self.state_unknown = 0
        self.learned_unknown = 0
        self.suspicious = 0  # of the hits that it was not made for
        self.failed = Sample()
        self.ok = Sample()

    def add(self, past: PastCall) -> None:
        self.sessions.add(past.session_id)
        self.projects.add(past.project)
        self.outcomes[past.outcome] += 1
        if past.tool_use_id in self.failed_calls:
            self.learned[past.outcome] += 1
            self.learned_errors[past.error_fingerprint] += past.outcome == FAILED
        is_elsewhere = past.session_id not in self.source_sessions
        # A success that looks like a failure proves nothing about the failures it was made for.
        is_doubtful = bool(self.failed_calls) and past.outcome == OK and bool(past.suspicious)
        if is_elsewhere and not is_doubtful:
            self.elsewhere[past.outcome] += 1
        if past.outcome == FAILED:
            self.errors[past.error_fingerprint] += 1
            self.errors_elsewhere[past.error_fingerprint] += is_elsewhere
            self.failed.add(past, past.error_fingerprint in self.error_fingerprints)
        elif past.outcome == OK:
            self.ok.add(past, is_elsewhere)
            self.suspicious += past.tool_use_id not in self.failed_calls and bool(past.suspicious)

    def report(self, weeks: float, known_failures: int) -> Report:
        same = self.error_fingerprints or _commonest(self.errors)
        failed, failed_same = self.outcomes[FAILED], sum(self.errors[each] for each in same)
        learned = self.learned.total()
        return Report(
            hits=self.outcomes.total(),
            sessions=len(self.sessions),
            projects=len(self.projects - {""}),
            failed_same=failed_same,
            failed_other=failed - failed_same,
            ok=self.outcomes[OK],
            unknown=self.outcomes.total() - failed - self.outcomes[OK] + self.state_unknown,
            state_unknown=self.state_unknown,
            judged=self.elsewhere[FAILED] + self.elsewhere[OK],
            precision=self._precision(),
            caught=learned / known_failures if known_failures else None,
            per_week=round(len(self.sessions) / weeks, 2),
            examples=Examples(self.failed.shown(same), self.ok.shown(same)),
            learned_from=known_failures,
            learned_hits=learned,
            learned_unknown=self.learned_unknown,
            others=self._others(failed_same, same),
        )

    def _others(self, failed_same: int, same: frozenset[str]) -> Outcomes:
        """Returns the hits that the lesson was not made for."""
        others = self.outcomes - self.learned
        learned_same = sum(self.learned_errors[each] for each in same)
        same_error = failed_same - learned_same
        return Outcomes(
            failed_same=same_error,
            failed_other=others[FAILED] - same_error,
            ok=others[OK],
            unknown=others.total() - others[FAILED] - others[OK],
            suspicious=self.suspicious,
        )

    def _precision(self) -> Precision:
        """Counts only known successes and failures; an error of another kind is no proof of this one."""
        failed, ok = self.elsewhere[FAILED], self.elsewhere[OK]
        same = self.error_fingerprints
        proven = sum(self.errors_elsewhere[each] for each in same) if same else failed
        return wilson(proven, failed + ok)


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


def _commonest(errors: Counter[str]) -> frozenset[str]:
    """Returns the error that most hits ended in; its fingerprint decides between equals."""
    known = [fingerprint for fingerprint in errors if fingerprint]
    return frozenset({min(known, key=lambda each: (-errors[each], each))}) if known else frozenset()


def _weeks(first: str, last: str, since: str) -> float:
    """Returns the length of the history from `since` on, at least one week."""
    try:
        passed = datetime.fromisoformat(last) - datetime.fromisoformat(max(first, since))
        days = passed.total_seconds() / _SECONDS_OF_A_DAY
    except (ValueError, TypeError):  # empty, or not a time
        days = 0.0
    return max(days / _DAYS_OF_A_WEEK, 1.0)
