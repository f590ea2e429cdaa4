"""Families of calls that can be compared, and the calls of each that went well."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from lessons.mistakes.good_calls import GoodCalls, is_shell
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

ANY = "*"  # stands for every sub-command
_MOST_REMEMBERED_BYTES = 70_000_000  # enough for 100,000 short lines


class Family(NamedTuple):
    """Calls that can be compared: of a program and its sub-command, else of a tool."""

    tool: str
    program: str
    subcommand: str


class Successes:
    """The good calls of a history by family; remembers those that were asked for last."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._known: dict[Family, GoodCalls] = {}  # the one that was asked for last at the end

    def __call__(self, family: Family) -> GoodCalls:
        found = self._known.pop(family, None)
        if found is None:
            found = GoodCalls.of_rows(successes_of(self._history, family))
            while self._known and found.size + sum(each.size for each in self._known.values()) > _MOST_REMEMBERED_BYTES:
                del self._known[next(iter(self._known))]
        self._known[family] = found
        return found


SuccessesOf = Callable[[Family], GoodCalls]


def families_of(calls: Iterable[StoredCall]) -> list[Family]:
    return sorted({_family(row, row.subcommand) for row in calls})


def programs_of(calls: Iterable[StoredCall]) -> list[Family]:
    """Returns the families, whatever the sub-command."""
    return sorted({_family(row, ANY) for row in calls})


def _family(row: StoredCall, subcommand: str) -> Family:
    if not row.command:
        return Family(row.tool, "", "")
    return Family(row.tool, row.program, subcommand if row.program else "")


def successes_of(history: History, family: Family) -> list[StoredCall]:
    """Returns the calls of a family that went well, the newest first."""
    if family.program and family.subcommand == ANY:
        return history.calls.successes_with_any_subcommand(family.program)
    if family.program:
        return history.calls.successes_of_program(family.program, family.subcommand)
    return [] if is_shell(family.tool) else history.calls.successes_of_tool(family.tool)
