"""Finds the rules that fire on a file, with few searches for many rules.

Most files break no rule. Two methods show that: the literals that each match needs, or one search for all patterns
together. Which is faster depends on rules and files, so both are timed on the first files.
"""

import re
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from lessons.match.fold import fold
from lessons.match.rule import begins_rarely, find, why_it_fires
from lessons.reviews.check.file_rules import FileRule, call_of

_TRIAL_CHARACTERS = 50_000
_LEADING_FLAGS = re.compile(r"\A(?:\(\?[aimsu]+\))+")
# These change their meaning when joined: groups by number or name, and comments of the verbose syntax.
_NOT_JOINED = re.compile(r"\\[1-9]|\(\?P[<=>]|\(\?\(")


class _Joined(NamedTuple):
    """Several content patterns joined into one; all of them are searched in the same way in a long text."""

    pattern: re.Pattern[str]
    is_rare: bool

    def occurs_in(self, text: str) -> bool:
        return (self.pattern.search(text) if self.is_rare else find(self.pattern, text)) is not None


class FiringRules:
    """Finds the rules that fire, file after file."""

    def __init__(self, rules: Sequence[FileRule]) -> None:
        self._rules = rules
        self._joined, self._apart = _joined(rules)
        self._ways: list[Callable[[str, str, str], list[FileRule]]] = [self._one_by_one, self._together]
        self._seconds = [0.0, 0.0]
        self._looked_at = 0

    def on(self, root: str, path: str, content: str) -> list[FileRule]:
        """Returns rules in order; decides as for a call that writes the whole file."""
        if self._looked_at >= _TRIAL_CHARACTERS:
            return self._ways[self._seconds[1] < self._seconds[0]](root, path, content)
        self._looked_at += len(content)
        found: list[FileRule] = []
        for number, way in enumerate(self._ways):
            began = time.perf_counter()
            found = way(root, path, content)
            self._seconds[number] += time.perf_counter() - began
        return found

    def _one_by_one(self, root: str, path: str, content: str) -> list[FileRule]:
        return _firing(self._rules, root, path, content)

    def _together(self, root: str, path: str, content: str) -> list[FileRule]:
        if any(joined.occurs_in(content) for joined in self._joined):
            return self._one_by_one(root, path, content)
        return _firing(self._apart, root, path, content) if self._apart else []


def _firing(rules: Sequence[FileRule], root: str, path: str, content: str) -> list[FileRule]:
    folded = fold(f"{root}/{path}\n{content}")
    possible = [rule for rule in rules if rule.may_fire(folded)]
    if not possible:
        return []
    call = call_of(root, path, content)
    return [rule for rule in possible if why_it_fires(rule.lesson.rule, call) is not None]


def _joined(rules: Sequence[FileRule]) -> tuple[list[_Joined], list[FileRule]]:
    """Returns joined patterns, of which one matches wherever a content pattern does, and rules they do not cover."""
    sources: dict[tuple[int, bool], list[str]] = {}
    apart = []
    for rule in rules:
        patterns = rule.lesson.rule.content
        if not patterns or any(not _can_be_joined(pattern) for pattern in patterns):
            apart.append(rule)
            continue
        for pattern in patterns:
            key = pattern.flags, begins_rarely(pattern)
            sources.setdefault(key, []).append(f"(?:{_LEADING_FLAGS.sub('', pattern.pattern)})")
    try:
        joined = {key: re.compile("|".join(dict.fromkeys(each)), key[0]) for key, each in sources.items()}
    except (re.error, OverflowError, RecursionError):
        return [], list(rules)
    return [_Joined(pattern, is_rare) for (_, is_rare), pattern in joined.items()], apart


def _can_be_joined(pattern: re.Pattern[str]) -> bool:
    return not pattern.flags & re.VERBOSE and not _NOT_JOINED.search(pattern.pattern)
