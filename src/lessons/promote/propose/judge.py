"""Tests a trigger on the calls of its mistake with the hook's own matching."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from lessons.match.call import ToolCall
from lessons.match.rule import Rule, why_it_fires
from lessons.model import Triggers
from lessons.promote.propose.good_calls import GoodCalls, before, text_of
from lessons.promote.propose.words import is_named
from lessons.store.published import PublishedLesson, compile_source

LEAST_CAUGHT = 0.9
MOST_HIT = 0.05
SAMPLE = 16

Lines = Callable[[], Sequence[str]]  # few triggers are compared with them, and to read them takes time


class Attempt(NamedTuple):
    """A trigger to try, and texts without which a call cannot make it fire: most calls need no closer look."""

    triggers: Triggers
    literals: tuple[str, ...] = ()
    is_named: bool = False  # the error complains about what it looks for
    is_local: bool = False  # it names a place, a host or a value, which only one project has
    is_head_alone: bool = False  # it says nothing but program and sub-command, which work the same in every project
    option: str = ""  # that does not exist, as the error says
    is_of_any_command: bool = False  # it names no program, so that any call may make it fire
    is_never_right: bool = False  # an option, a sub-command, a path of an API or a sign that the error rejects


class Verdict(NamedTuple):
    """How many of the failures and of the successes it fires on."""

    caught: int
    hit: int


class Case:
    """The calls of one mistake, as the hook would see them before they run."""

    def __init__(
        self,
        failures: Sequence[ToolCall],
        fixes: Sequence[ToolCall],
        successes: GoodCalls | Sequence[ToolCall],
        others: GoodCalls | Sequence[ToolCall] = (),
        lines: Lines = tuple,
    ) -> None:
        self.errors = [call.error or "" for call in failures]
        self.failures = [before(call) for call in failures]
        self.fixes = [before(call) for call in fixes]
        self.successes = GoodCalls.of_calls(successes)
        self.others = GoodCalls.of_calls(others)  # that worked, of the same programs but another family
        self.sample = self.successes.sample(SAMPLE, {text_of(call) for call in self.fixes})
        self.lines = lines  # that worked, of any program
        self.distinct = len({text_of(call) for call in self.failures})

    def most_hit(self, good: int) -> int:
        """Neither many of so many good calls, nor more of them than of the bad ones."""
        return min(int(MOST_HIT * good), len(self.failures))

    def is_backed(self, word: str) -> bool:
        """Whether more than one failure alone speaks for this word: another, a fix, or the error itself."""
        return self.distinct > 1 or bool(self.fixes) or is_named(word, self.errors)

    def enough(self, number: int) -> bool:
        return number >= LEAST_CAUGHT * len(self.failures)


def judge(attempt: Attempt, case: Case) -> Verdict | None:
    """None if it misses too many failures, fires on a fix, or on too many successes."""
    rule = rule_of(attempt.triggers)
    if any(why_it_fires(rule, call) for call in case.fixes) or _only_reorders(attempt, case):
        return None
    caught = sum(why_it_fires(rule, call) is not None for call in case.failures)
    if not case.enough(caught):
        return None
    if attempt.is_of_any_command and _hits_among(attempt, case.lines()) > len(case.failures):
        return None
    most = case.most_hit(len(case.successes))
    if sum(_fires(rule, attempt, call) for call in case.sample) > max(most, len(case.sample) // 3):
        return None  # what hits a third of a sample need not be counted to the end
    hit = 0
    for calls in (case.successes, case.others):
        worth_a_look = (good.call() for good in calls.holding(attempt.literals))
        number = _hits(rule, worth_a_look, case.most_hit(len(calls)))
        if number is None:
            return None
        hit += number
    return Verdict(caught, hit) if hit <= len(case.failures) else None


def _only_reorders(attempt: Attempt, case: Case) -> bool:
    """Whether the only failure and a fix have the same words in another order: the next failure has other words."""
    if case.distinct > 1 or attempt.triggers.match_on != "invocation":
        return False
    failed, fixed = _commands(case.failures[:1]), _commands(case.fixes)
    return any(one != other and sorted(one) == sorted(other) for one in failed for other in fixed)


def _commands(calls: Iterable[ToolCall]) -> list[list[str]]:
    return [texts[-1].split(" ") for call in calls for texts in call.invocations()]


def _hits(rule: Rule, calls: Iterable[ToolCall], most: int) -> int | None:
    """How many it fires on; None if they are too many."""
    hit = 0
    for call in calls:
        hit += why_it_fires(rule, call) is not None
        if hit > most:
            return None
    return hit


def _hits_among(attempt: Attempt, lines: Sequence[str]) -> int:
    (pattern,) = attempt.triggers.command_patterns
    compiled = re.compile(pattern)
    return sum(all(text in line for text in attempt.literals) and bool(compiled.search(line)) for line in lines)


def rule_of(triggers: Triggers) -> Rule:
    """The rule that publishing would make of them."""
    entry: dict[str, object] = {
        "toolNames": triggers.tool_names,
        "commandRegexSources": triggers.command_patterns,
        "unlessRegexSources": triggers.unless,
        "matchOn": triggers.match_on,
    }
    return PublishedLesson("proposal", entry, compile_source).rule


def _fires(rule: Rule, attempt: Attempt, call: ToolCall) -> bool:
    text = text_of(call)
    return all(literal in text for literal in attempt.literals) and why_it_fires(rule, call) is not None
