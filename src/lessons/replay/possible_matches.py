"""Lessons in, a quick answer to which of them can fire on a text out: most calls need no closer look."""

from collections.abc import Sequence

from lessons.match.fold import fold
from lessons.match.rule import Rule
from lessons.match.tools import canonical_name
from lessons.promote.backtest.where import all_needed_runs, literal_sets

_QUOTING = str.maketrans("", "", "\"'\\$\r\n")
_SHELL = "Bash"

# Of each group one literal is in every text that a pattern matches; no group: any text may match.
Needed = Sequence[Sequence[str]]


class PossibleMatches:
    """Numbers of lessons by literals that a text must hold for one of their patterns to match."""

    def __init__(self) -> None:
        self._by_literal: list[tuple[str, int, Needed]] = []  # with the other groups of the pattern
        self._always: list[int] = []

    def add(self, number: int, patterns: Sequence[Needed]) -> None:
        """One entry for each pattern; a lesson without any is always possible."""
        if not patterns or not all(patterns):
            self._always.append(number)
            return
        for needed in patterns:
            telling = max(needed, key=lambda group: min(map(len, group)))
            others = [group for group in needed if group is not telling]
            self._by_literal += [(literal, number, others) for literal in telling]

    @property
    def size(self) -> tuple[int, int]:
        """How much has been added; `among` can leave that out."""
        return len(self._by_literal), len(self._always)

    def among(self, text: str, known: tuple[int, int] = (0, 0)) -> list[int]:
        """Those that can fire on the folded text, of all that were added after `known`."""
        likely = [entry for entry in self._by_literal[known[0] :] if entry[0] in text]
        found = {number for _, number, others in likely if all(any(map(text.__contains__, one)) for one in others)}
        found.update(self._always[known[1] :])
        return sorted(found)


def needed_in_lines(rule: Rule) -> list[Needed]:
    """For lines of a shell, as `folded_line` gives them."""
    return [all_needed_runs(each) if rule.invocation else literal_sets(each) for each in rule.command]


def needed_in_errors(rule: Rule) -> list[Needed]:
    return [literal_sets(each) for each in rule.error]


def folded_line(command: str) -> str:
    """The line as it is and, for invocations, without the quoting that may stand inside of a word."""
    bare = command.translate(_QUOTING)
    return fold(command if bare == command else f"{command}\n{bare}")


def looks_at_shells(rule: Rule) -> bool:
    """Whether it can fire on a line of a shell before that runs."""
    is_meant = not rule.tools or any(canonical_name(name) == _SHELL for name in rule.tools)
    return is_meant and not rule.session_start and (bool(rule.command) or bool(rule.tools and not rule.error))


def looks_at(rule: Rule, names: Sequence[str]) -> bool:
    """Whether it can fire on a tool with these names, which is no shell, before that runs."""
    if rule.session_start:
        return False
    if rule.tools:
        return any(name in rule.tools for name in names)
    return bool(rule.path or rule.content)
