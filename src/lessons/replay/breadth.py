"""A lesson in, whether it would have fired on too many of the calls so far out."""

import random
from collections.abc import Sequence

from lessons.config import Config
from lessons.match.call import ToolCall
from lessons.match.rule import Rule, why_it_fires
from lessons.model import Lesson
from lessons.promote.backtest.rule import compiled
from lessons.promote.promotion.draft import Tested, fires_at_calls, tested
from lessons.promote.propose.judge import before
from lessons.promote.propose.proposals import call_of
from lessons.store.history.history import History
from lessons.store.history.past_calls import SessionCall

SAMPLE = 1_000
_CALLS_TO_SAMPLE = 10 * SAMPLE  # of fewer calls all are looked at
# With 25 hits expected in the sample, five or fewer are one chance in a million.
_FEWEST_EXPECTED = 25
_SURELY_FEW = 0.2


class Breadth:
    """Back-tests a lesson as promotion does; of many calls only where a fair sample of them does not acquit it."""

    def __init__(self) -> None:
        self._chance = random.Random(1)  # the same sample in each run
        self._sample: list[str] = []
        self._count = 0
        self._calls: dict[str, tuple[ToolCall, ToolCall]] = {}

    def add(self, call: SessionCall) -> None:
        """Every call so far is in the sample with the same probability."""
        self._count += 1
        if len(self._sample) < SAMPLE:
            self._sample.append(call.tool_use_id)
        elif (place := self._chance.randrange(self._count)) < SAMPLE:
            self._calls.pop(self._sample[place], None)
            self._sample[place] = call.tool_use_id

    def tested(self, history: History, settings: Config, lesson: Lesson, failed: Sequence[str]) -> Tested:
        if not fires_at_calls(lesson) or self._is_surely_narrow(history, lesson, settings.max_trigger_share):
            return Tested(None, [])
        return tested(history, settings, lesson, failed)

    def _is_surely_narrow(self, history: History, lesson: Lesson, most: float) -> bool:
        expected = most * SAMPLE
        if self._count < _CALLS_TO_SAMPLE or expected < _FEWEST_EXPECTED:
            return False
        unread = [name for name in self._sample if name not in self._calls]
        for row in history.calls.named(unread):
            call = call_of(row)
            self._calls[row.tool_use_id] = (before(call), call)
        rule = compiled(lesson.triggers, lesson.scope).rule
        return sum(_fires(rule, calls) for calls in self._calls.values()) < _SURELY_FEW * expected


def _fires(rule: Rule, calls: tuple[ToolCall, ToolCall]) -> bool:
    """Before the call runs, or after it failed."""
    return any(why_it_fires(rule, call) is not None for call in calls)
