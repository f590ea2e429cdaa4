"""Whether a lesson would have fired on too many of the calls so far."""

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lessons.config import Config
from lessons.match.call import ToolCall
from lessons.match.fold import fold
from lessons.match.rule import Rule, why_it_fires
from lessons.mistakes.good_calls import before
from lessons.mistakes.past_call import call_of
from lessons.model import Lesson, Scope, Triggers
from lessons.promote.backtest.gates import Needed, folded_line, needed_in_errors, needed_in_lines
from lessons.promote.backtest.rule import EVERYWHERE, compiled
from lessons.promote.promotion.draft import Tested, fires_at_calls, tested, tried_triggers
from lessons.replay.possible_matches import holds_any
from lessons.store.history.history import History
from lessons.store.history.past_calls import SessionCall

SAMPLE = 2_000
# With more calls than the sample has, this many of it are tried: if 25 hits are expected, fewer than five have a chance
# of one in a million.
_TRIED = 500
_FEWEST_EXPECTED = 25
_SURELY_FEW = 0.2


class _Tried(NamedTuple):
    """A call of the sample before and after it ran, with its texts in searchable form."""

    asked: ToolCall
    failed: ToolCall
    line: str | None  # None for tools other than shells
    error: str


class Breadth:
    """Back-tests a lesson as promotion does, but only if a random sample of the calls so far does not clear it."""

    def __init__(self) -> None:
        self._chance = random.Random(1)  # the same sample in each run
        self._sample: list[str] = []
        self._count = 0
        self._calls: dict[str, _Tried] = {}

    def add(self, call: SessionCall) -> None:
        """Every call so far is in the sample, and in each part of it, with the same probability."""
        self._count += 1
        if len(self._sample) < SAMPLE:
            self._sample.append(call.tool_use_id)
        elif (place := int(self._count * self._chance.random())) < SAMPLE:
            self._calls.pop(self._sample[place], None)
            self._sample[place] = call.tool_use_id

    def tested(self, history: History, settings: Config, lesson: Lesson, failed: Sequence[str]) -> Tested:
        if not fires_at_calls(lesson) or self._is_narrow(history, lesson, settings.max_trigger_share):
            return Tested(None, [])
        return tested(history, settings, lesson, failed)

    def _is_narrow(self, history: History, lesson: Lesson, most: float) -> bool:
        """Whether the lesson is certainly narrow; False if only a check of every call can decide."""
        triggers = tried_triggers(lesson)
        if self._count <= SAMPLE:
            return self._hits(history, _rule(triggers, lesson.scope), self._sample) <= most * self._count
        expected = most * _TRIED
        if expected < _FEWEST_EXPECTED:
            return False
        # Everywhere: in its scope it fires on no more.
        return self._hits(history, _rule(triggers), self._sample[:_TRIED]) < _SURELY_FEW * expected

    def _hits(self, history: History, rule: Rule, names: Iterable[str]) -> int:
        for row in history.calls.named(name for name in names if name not in self._calls):
            self._calls[row.tool_use_id] = _tried(call_of(row))
        in_lines, in_errors = needed_in_lines(rule), needed_in_errors(rule)
        calls = [self._calls[name] for name in names if name in self._calls]
        return sum(_fires(rule, each) for each in calls if _may_fire(rule, each, in_lines, in_errors))


def _rule(triggers: Triggers, scope: Scope = EVERYWHERE) -> Rule:
    """Ignores conditions on the machine's state: with them it fires on no more."""
    rule = compiled(triggers, scope).rule
    rule.state, rule.folder = {}, ()
    return rule


def _tried(call: ToolCall) -> _Tried:
    line = folded_line(call.command) if call.is_shell and call.command else None
    return _Tried(before(call), call, line, fold(call.error or ""))


def _may_fire(rule: Rule, tried: _Tried, in_lines: list[Needed], in_errors: list[Needed]) -> bool:
    """A quick check: most calls need no full match."""
    if rule.error and tried.error and holds_any(tried.error, in_errors):
        return True
    return tried.line is None or holds_any(tried.line, in_lines)


def _fires(rule: Rule, tried: _Tried) -> bool:
    """Whether it fires before the call runs, or after it failed."""
    if why_it_fires(rule, tried.asked) is not None:
        return True
    return bool(rule.error) and tried.failed.error is not None and why_it_fires(rule, tried.failed) is not None
