"""Interrupts regexes of others wherever they run outside the hook; the hook has its own deadline.

CPython's `re` checks for signals while it matches. Where no timer exists, or not in the main thread, there is no limit:
there the check at publishing is the only protection.
"""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from lessons.match import rule as rules
from lessons.match import state
from lessons.match.call import ToolCall
from lessons.match.rule import Rule
from lessons.match.state import Verdict

if TYPE_CHECKING:
    import re

Given = ParamSpec("Given")
Result = TypeVar("Result")

LIMIT_SECONDS = 0.05  # as in the hook
_TICK_SECONDS = LIMIT_SECONDS / 2
_TICKS = 2
# A rule that is too slow so often is given up: each time costs as long as many calls.
MOST_SLOW_CALLS = 4
_MOST_SLOW_RULES = 100
# How often each rule was interrupted, for the whole process; the rule itself, so that no other one gets its id.
_slow: dict[int, tuple[Rule, int]] = {}


class TooSlow(Exception):
    """Matching took longer than any valid pattern needs."""


class TimeLimit:
    """The timer runs all the time: setting it for each of many short searches would take longer than they do."""

    def __init__(self) -> None:
        self._left = 0  # ticks until the running function is interrupted; 0 if none runs

    def run(self, function: Callable[Given, Result], *args: Given.args, **named: Given.kwargs) -> Result:
        """Calls the function; raises TooSlow if it needs more processor time than the limit."""
        self._left = _TICKS + 1
        try:
            return function(*args, **named)
        finally:
            self._left = 0

    def of_rule(
        self, rule: Rule, default: Result, function: Callable[Given, Result], *args: Given.args, **named: Given.kwargs
    ) -> Result:
        """Returns the default if the rule is too slow, as the hook does; a rule that often is, is not tried again."""
        times = _slow.get(id(rule), (rule, 0))[1]
        if times < MOST_SLOW_CALLS:
            try:
                return self.run(function, *args, **named)
            except TooSlow:
                if len(_slow) >= _MOST_SLOW_RULES:
                    _slow.clear()
                _slow[id(rule)] = rule, times + 1
        return default

    def tick(self, *_: object) -> None:
        if self._left:
            self._left -= 1
            if not self._left:
                raise TooSlow


_active: TimeLimit | None = None


@contextmanager
def time_limit() -> Iterator[TimeLimit]:
    """Yields the limit for everything inside; one inside another is the same."""
    global _active
    if _active or not can_interrupt():
        yield _active if _active and can_interrupt() else TimeLimit()
        return
    _active = limit = TimeLimit()
    earlier = signal.signal(signal.SIGVTALRM, limit.tick)
    signal.setitimer(signal.ITIMER_VIRTUAL, _TICK_SECONDS, _TICK_SECONDS)
    try:
        yield limit
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, earlier or signal.SIG_DFL)
        _active = None


def is_slow(rule: Rule) -> bool:
    """Whether it was interrupted at least once."""
    return id(rule) in _slow


def can_interrupt() -> bool:
    """Whether a timer can stop a search: not on Windows, and only the main thread receives signals."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def why_it_fires(rule: Rule, call: ToolCall) -> str | None:
    """Returns what match/rule.py does; None if that takes too long."""
    with time_limit() as limit:
        return limit.of_rule(rule, None, rules.why_it_fires, rule, call)


def judge(rule: Rule, call: ToolCall, only_certain: bool = False) -> Verdict:
    """Returns what match/state.py does; a verdict that it does not fire if that takes too long."""
    with time_limit() as limit:
        return limit.of_rule(rule, Verdict(None), state.judge, rule, call, only_certain)


def occurs(rule: Rule, patterns: "Sequence[re.Pattern[str]]", text: str) -> bool:
    """Whether one of these patterns of the rule matches somewhere; not if that takes too long."""
    with time_limit() as limit:
        return limit.of_rule(rule, False, lambda: any(rules.occurs(pattern, text) for pattern in patterns))
