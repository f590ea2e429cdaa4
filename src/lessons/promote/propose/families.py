"""Families of calls that can be compared, and the calls of each that went well."""

from collections.abc import Iterable
from typing import NamedTuple

from lessons.match.tools import canonical_name
from lessons.promote.propose.good_calls import GoodCall, GoodCalls
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

ANY = "*"  # stands for every sub-command
# Of one family after the other: a mistake may be about several. Enough for 100,000 short lines.
_MOST_REMEMBERED_BYTES = 70_000_000


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
            found = GoodCalls.of_rows(successes_of(self._history, family), self._of_program(family))
            while self._known and found.size + sum(each.size for each in self._known.values()) > _MOST_REMEMBERED_BYTES:
                del self._known[next(iter(self._known))]
        self._known[family] = found
        return found

    def _of_program(self, family: Family) -> dict[str, GoodCall]:
        """The remembered calls of the same program, by their ids: a family may be a part of another one."""
        same = [calls for other, calls in self._known.items() if other.program and other.program == family.program]
        return {call.tool_use_id: call for calls in same for call in calls}


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
