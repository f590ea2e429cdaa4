"""A trigger and the history in, what a lesson with it would have done out."""

import math
import sqlite3
from collections import Counter
from collections.abc import Collection
from datetime import datetime

import msgspec

from lessons.model import Scope, Triggers
from lessons.promote.backtest.examples import Example, Sample
from lessons.promote.backtest.matching import FAILED, hits
from lessons.promote.backtest.rule import EVERYWHERE, compiled
from lessons.store.history import past_calls
from lessons.store.history.past_calls import PastCall

OK = "ok"
_Z = 1.959964  # 95 %
_DAYS_OF_A_WEEK = 7.0
_SECONDS_OF_A_DAY = 86_400.0


class Precision(msgspec.Struct, frozen=True):
    """The share of hits that went wrong, and between what it lies; without hits nothing is known."""

    value: float | None
    low: float
    high: float


class Examples(msgspec.Struct, frozen=True):
    """The most telling hits on either side."""

    failed: list[Example]
    ok: list[Example]


class Report(msgspec.Struct, frozen=True, rename="camel"):
    hits: int
    sessions: int
    projects: int
    failed_same: int
    failed_other: int
    ok: int
    unknown: int  # refused, cancelled, interrupted, or nothing is known
    judged: int  # outside of the sessions it was born in, known to have gone well or wrong
    precision: Precision
    caught: float | None  # the share of the failures that it was made for
    per_week: float  # sessions in which it would have been shown
    examples: Examples


def backtest(
    connection: sqlite3.Connection,
    triggers: Triggers,
    *,
    scope: Scope | None = None,
    born: Collection[str] = (),
    same: Collection[str] = (),
    group: Collection[str] = (),
    since: str = "",
    block_or_stop: bool = False,
) -> Report:
    """Over every call of the history; Refused where publishing would leave such a lesson out.

    `born` are the sessions that the lesson comes from, which prove nothing about it; `same` the fingerprints of the
    error it is about, else the one that most of its hits ended in; `group` the calls it was made for.
    """
    rule = compiled(triggers, scope or EVERYWHERE, block_or_stop).rule
    tally = _Tally(frozenset(born), frozenset(same), frozenset(group))
    for past in hits(connection, rule, since):
        tally.add(past)
    return tally.report(_weeks(*past_calls.span(connection), since), past_calls.count_of(connection, group, since))


class _Tally:
    """Counts hits one by one and keeps of each only what the report needs."""

    def __init__(self, born: frozenset[str], same: frozenset[str], group: frozenset[str]) -> None:
        self.born, self.same, self.group = born, same, group
        self.sessions: set[str] = set()
        self.projects: set[str] = set()
        self.outcomes: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()  # of failed hits, by fingerprint
        self.elsewhere: Counter[str] = Counter()  # outcomes outside of the sessions it was born in
        self.errors_elsewhere: Counter[str] = Counter()
        self.caught = 0
        self.failed = Sample()
        self.ok = Sample()

    def add(self, past: PastCall) -> None:
        self.sessions.add(past.session_id)
        self.projects.add(past.project)
        self.outcomes[past.outcome] += 1
        self.caught += past.tool_use_id in self.group
        is_elsewhere = past.session_id not in self.born
        if is_elsewhere:
            self.elsewhere[past.outcome] += 1
        if past.outcome == FAILED:
            self.errors[past.error_fingerprint] += 1
            self.errors_elsewhere[past.error_fingerprint] += is_elsewhere
            self.failed.add(past, past.error_fingerprint in self.same)
        elif past.outcome == OK:
            self.ok.add(past, is_elsewhere)

    def report(self, weeks: float, in_group: int) -> Report:
        same = self.same or _commonest(self.errors)
        failed, failed_same = self.outcomes[FAILED], sum(self.errors[each] for each in same)
        return Report(
            hits=self.outcomes.total(),
            sessions=len(self.sessions),
            projects=len(self.projects - {""}),
            failed_same=failed_same,
            failed_other=failed - failed_same,
            ok=self.outcomes[OK],
            unknown=self.outcomes.total() - failed - self.outcomes[OK],
            judged=self.elsewhere[FAILED] + self.elsewhere[OK],
            precision=self._precision(),
            caught=self.caught / in_group if in_group else None,
            per_week=round(len(self.sessions) / weeks, 2),
            examples=Examples(self.failed.shown(same), self.ok.shown(same)),
        )

    def _precision(self) -> Precision:
        """Only what is known to have gone well or wrong counts; an error of another kind is no proof of this one."""
        failed, ok = self.elsewhere[FAILED], self.elsewhere[OK]
        proven = sum(self.errors_elsewhere[each] for each in self.same) if self.same else failed
        return wilson(proven, failed + ok)


def wilson(right: int, total: int) -> Precision:
    """The share, and the interval in which the true one lies with a probability of 95 %."""
    if not total:
        return Precision(None, 0.0, 1.0)
    share, squared = right / total, _Z * _Z
    middle = share + squared / (2 * total)
    margin = _Z * math.sqrt(share * (1 - share) / total + squared / (4 * total * total))
    scale = 1 + squared / total
    low, high = max(0.0, (middle - margin) / scale), min(1.0, (middle + margin) / scale)
    return Precision(round(share, 4), round(low, 4), round(high, 4))


def _commonest(errors: Counter[str]) -> frozenset[str]:
    """The error that most hits ended in; the name decides between equals."""
    known = [fingerprint for fingerprint in errors if fingerprint]
    return frozenset({min(known, key=lambda each: (-errors[each], each))}) if known else frozenset()


def _weeks(first: str, last: str, since: str) -> float:
    """How long the history is from `since` on, at least one week."""
    try:
        passed = datetime.fromisoformat(last) - datetime.fromisoformat(max(first, since))
        days = passed.total_seconds() / _SECONDS_OF_A_DAY
    except (ValueError, TypeError):  # nothing, or a time that is none
        days = 0.0
    return max(days / _DAYS_OF_A_WEEK, 1.0)
