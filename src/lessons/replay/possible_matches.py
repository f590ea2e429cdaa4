"""Lessons in, a quick answer to which of them can fire on a text out: most calls need no closer look."""

from collections.abc import Sequence

from lessons.match.fold import fold
from lessons.match.rule import Rule
from lessons.match.tools import canonical_name
from lessons.promote.backtest.where import Pattern, literal_sets, needed_runs

_QUOTING = str.maketrans("", "", "\"'\\$\r\n")
_SHELL = "Bash"

Needles = tuple[str, ...] | None  # one of them is in every text that matches; None: any text may match


class PossibleMatches:
    """Numbers of lessons by a literal that a text must hold for them to fire."""

    def __init__(self) -> None:
        self._needles: list[tuple[str, int]] = []
        self._always: list[int] = []

    def add(self, number: int, needles: Needles) -> None:
        if needles is None:
            self._always.append(number)
        else:
            self._needles += [(needle, number) for needle in needles]

    @property
    def size(self) -> tuple[int, int]:
        """How much has been added; `among` can leave that out."""
        return len(self._needles), len(self._always)

    def among(self, text: str, known: tuple[int, int] = (0, 0)) -> list[int]:
        """Those that can fire on the folded text, of all that were added after `known`."""
        found = {number for needle, number in self._needles[known[0] :] if needle in text}
        found.update(self._always[known[1] :])
        return sorted(found)


def needles_of_command(rule: Rule) -> Needles:
    """For lines of a shell, as `folded_line` gives them."""
    if not rule.command:
        return None
    return _any_of([needed_runs(each) if rule.invocation else _telling(each) for each in rule.command])


def needles_of_error(rule: Rule) -> Needles:
    return _any_of([_telling(each) for each in rule.error])


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


def _any_of(groups: list[list[str]]) -> Needles:
    return tuple(literal for group in groups for literal in group) if all(groups) else None


def _telling(pattern: Pattern) -> list[str]:
    sets = literal_sets(pattern)
    return list(sets[0]) if sets else []
