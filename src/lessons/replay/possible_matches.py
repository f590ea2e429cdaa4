"""Quickly finds which lessons can fire on a text, so that most calls need no full match."""

from bisect import bisect_left
from collections.abc import Sequence

from lessons.match.rule import Rule
from lessons.match.tools import canonical_name
from lessons.promote.backtest.gates import Needed, holds

_SHELL = "Bash"
_GRAM = 4
_RARITY = 3  # how much rarer a text with one more character is


class PossibleMatches:
    """Indexes lessons by literals that a text must contain for one of their patterns to match.

    Finds each pattern by a few characters that it needs and few others need; then checks all its literals.
    """

    def __init__(self) -> None:
        self._by_gram: dict[str, list[tuple[int, Needed]]] = {}
        self._lengths: set[int] = set()  # of these characters
        self._always: list[int] = []
        self.size = 0  # all numbers are below it

    def add(self, number: int, patterns: Sequence[Needed]) -> None:
        """Numbers increase; a lesson is always possible if a pattern has no literal to search for."""
        self.size = number + 1
        if not patterns or not all(patterns):
            self._always.append(number)
            return
        for needed in patterns:
            for gram in min(map(self._rarest, needed), key=lambda grams: sum(map(self._frequency, grams))):
                self._by_gram.setdefault(gram, []).append((number, needed))
                self._lengths.add(len(gram))

    def _rarest(self, group: Sequence[str]) -> list[str]:
        """Returns for each literal the characters with the fewest entries."""
        return [min(_grams(literal, min(_GRAM, len(literal))), key=self._frequency) for literal in group]

    def _frequency(self, gram: str) -> float:
        """Estimates how often it occurs: a shorter text occurs in more texts by chance."""
        return (len(self._by_gram.get(gram, ())) + 1) / float(_RARITY ** len(gram))

    def among(self, text: str, known: int = 0) -> list[int]:
        """Returns lessons from number `known` on that can fire on the folded text."""
        found = set(self._always[bisect_left(self._always, known) :])
        for length in self._lengths:
            for gram in self._by_gram.keys() & _grams(text, length):
                for number, needed in self._by_gram[gram]:
                    if number >= known and holds(text, needed):
                        found.add(number)
        return sorted(found)


def _grams(text: str, length: int) -> set[str]:
    return {text[at : at + length] for at in range(len(text) - length + 1)}


def holds_any(text: str, patterns: Sequence[Needed]) -> bool:
    """Whether one of the patterns can match the folded text; without patterns any text can."""
    return not patterns or any(holds(text, needed) for needed in patterns)


def looks_at_shells(rule: Rule) -> bool:
    """Whether it can fire on a shell line before that runs."""
    is_meant = not rule.tools or any(canonical_name(name) == _SHELL for name in rule.tools)
    return is_meant and not rule.session_start and (bool(rule.command) or bool(rule.tools and not rule.error))


def looks_at(rule: Rule, names: Sequence[str]) -> bool:
    """Whether it can fire on a tool with these names, other than a shell, before it runs."""
    if rule.session_start:
        return False
    if rule.tools:
        return any(name in rule.tools for name in names)
    return bool(rule.path or rule.content)
