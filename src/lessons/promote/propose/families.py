"""Families of calls that can be compared, and the calls of each that went well."""

from collections.abc import Iterable
from typing import NamedTuple

from lessons.match.tools import canonical_name
from lessons.promote.propose.good_calls import GoodCalls
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

ANY = "*"  # stands for every sub-command
_MOST_REMEMBERED = 100_000  # calls, of one family after the other: a mistake may be about several


class Family(NamedTuple):
    """Calls that can be compared."""

    tool: str
    program: str
    subcommand: str


class Successes:
    """The calls of a history that went well, by family; those that were asked for last are remembered."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._known: dict[Family, GoodCalls] = {}  # the one that was asked for last at the end

    def __call__(self, family: Family) -> GoodCalls:
        found = self._known.pop(family, None)
        if found is None:
            while sum(map(len, self._known.values())) >= _MOST_REMEMBERED:
                del self._known[next(iter(self._known))]
            found = GoodCalls.of_rows(successes_of(self._history, family))
        self._known[family] = found
        return found


def families_of(calls: Iterable[StoredCall]) -> list[Family]:
    """What was called: for shells the program with its sub-command, else the tool."""
    found = {
        Family(row.tool, row.program, row.subcommand) if row.command else Family(row.tool, "", "") for row in calls
    }
    return sorted(found)


def successes_of(history: History, family: Family) -> list[StoredCall]:
    """The calls of a family that went well."""
    if family.program and family.subcommand == ANY:
        return history.calls.successes_with_any_subcommand(family.program)
    if family.program:
        return history.calls.successes_of_program(family.program, family.subcommand)
    return [] if canonical_name(family.tool) == "Bash" else history.calls.successes_of_tool(family.tool)
