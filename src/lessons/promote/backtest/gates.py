"""Literals that a text must contain before a pattern is tried on it: only an optimisation."""

from collections.abc import Sequence

from lessons.match.fold import fold
from lessons.match.rule import Rule
from lessons.promote.backtest.where import all_needed_runs, literal_sets

_QUOTING = str.maketrans("", "", "\"'\\$\r\n`^")

# Every text that a pattern matches contains one literal of each group; no group: any text may match.
Needed = Sequence[Sequence[str]]


class Gates:
    """Rules by number, and what a folded text must contain for one of their patterns to match."""

    def __init__(self) -> None:
        self._always: list[int] = []
        self._by_literal: dict[str, list[tuple[int, Needed]]] = {}

    def add(self, number: int, patterns: Sequence[Needed]) -> None:
        """A rule is always possible if it has no pattern, or one without a literal to search for."""
        if not patterns or not all(patterns):
            self._always.append(number)
            return
        for needed in patterns:
            for literal in max(needed, key=lambda group: min(map(len, group))):
                self._by_literal.setdefault(literal, []).append((number, needed))

    def possible(self, text: str) -> list[int]:
        """Returns the rules that can fire on the folded text, in ascending order."""
        found = {*self._always}
        for literal, rules in self._by_literal.items():
            if literal in text:
                found.update(number for number, needed in rules if holds(text, needed))
        return sorted(found)

    def within(self, texts: Sequence[str]) -> "Gates":
        """Returns gates that are quicker, for these texts alone: they contain few of the literals."""
        joined = "\n".join(texts)
        fewer = Gates()
        fewer._always = self._always
        fewer._by_literal = {literal: rules for literal, rules in self._by_literal.items() if literal in joined}
        return fewer


def holds(text: str, needed: Needed) -> bool:
    """Whether a pattern that needs these literals can match the folded text."""
    for group in needed:
        for literal in group:
            if literal in text:
                break
        else:
            return False
    return True


def needed_in_lines(rule: Rule) -> list[Needed]:
    """For shell lines, as returned by `folded_line`."""
    is_taken_apart = rule.invocation or rule.script
    return [all_needed_runs(each) if is_taken_apart else literal_sets(each) for each in rule.command]


def needed_in_errors(rule: Rule) -> list[Needed]:
    """For errors, as returned by `folded_error`."""
    return [literal_sets(each) for each in rule.error]


def folded_line(command: str) -> str:
    """Returns the line as it is and, for invocations and code, without quoting inside words."""
    bare = command.translate(_QUOTING)
    return fold(command if bare == command else f"{command}\n{bare}")


def folded_error(error: str) -> str:
    """Returns the error with the ends of lines that patterns see."""
    return fold(error.replace("\r\n", "\n"))
