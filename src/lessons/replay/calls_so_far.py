"""The calls of sessions that have ended; caches the newest, which are needed often."""

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from lessons.match.call import ToolCall
from lessons.mistakes.good_calls import GoodCalls, is_shell
from lessons.mistakes.past_call import success_of
from lessons.promote.queue.families import ANY, Family
from lessons.store.history.past_calls import (
    MOST_FAILURES,
    MOST_SUCCESSES,
    PastCalls,
    SessionCall,
    StoredCall,
)

_MOST_REMEMBERED = 100_000  # calls that were read completely
_OK, _FAILED = "ok", "failed"

Key = tuple[str, str, str]  # of a family; the tool alone, or only the program and its sub-command


class Newest:
    """The newest calls by time and name; at most `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: list[tuple[str, str]] = []
        self._new: list[tuple[str, str]] = []

    def add(self, time: str, name: str) -> None:
        self._new.append((time, name))
        if len(self._new) > self._most + 1000:
            self.entries()

    def entries(self) -> list[tuple[str, str]]:
        """Returns entries in the order of the history: newest first, then by name."""
        if self._new:
            is_later = not self._entries or min(self._new)[0] > self._entries[0][0]
            self._entries[:0] = self._new
            some = self._entries[: len(self._new)] if is_later else self._entries
            some.sort()
            some.sort(key=itemgetter(0), reverse=True)
            if is_later:
                self._entries[: len(some)] = some
            del self._entries[self._most :]
            self._new = []
        return self._entries

    def names(self) -> list[str]:
        return list(map(itemgetter(1), self.entries()))


class CallsSoFar(PastCalls):
    """Answers the queries of proposals and mining without reading the whole history each time."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._good: dict[Key, Newest] = {}
        self._failed = Newest(MOST_FAILURES)
        self._calls: dict[str, ToolCall] = {}
        self._failures: dict[str, StoredCall] = {}

    def add(self, calls: Iterable[SessionCall]) -> None:
        """Adds the calls of a session that has ended."""
        for call in calls:
            if call.outcome == _OK and not call.suspicious:
                self._add_good(call)
            elif call.outcome == _FAILED and call.has_error:
                self._failed.add(call.time, call.tool_use_id)

    def _add_good(self, call: SessionCall) -> None:
        keys: list[Key] = []
        if call.program:
            keys += [("", call.program, call.subcommand), ("", call.program, ANY)]
        if not is_shell(call.tool):
            keys.append((call.tool, "", ""))
        for key in keys:
            if key not in self._good:
                self._good[key] = Newest(MOST_SUCCESSES)
            self._good[key].add(call.time, call.tool_use_id)

    def successes_of_program(self, program: str, subcommand: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        return self.named(self._names(("", program, subcommand))[:limit])

    def successes_with_any_subcommand(self, program: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        return self.named(self._names(("", program, ANY))[:limit])

    def successes_of_tool(self, tool: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        return self.named(self._names((tool, "", ""))[:limit])

    def newest_failures(self, limit: int = MOST_FAILURES) -> list[StoredCall]:
        names = self._failed.names()
        if len(self._failures) > 2 * MOST_FAILURES:
            self._failures = {name: self._failures[name] for name in names if name in self._failures}
        found = list(map(self._failures.get, names))
        if None in found:
            unread = [name for name, row in zip(names, found, strict=True) if row is None]
            self._failures.update((row.tool_use_id, row) for row in self.named(unread))
            found = list(map(self._failures.get, names))
        return [row for row in found if row is not None][:limit]

    def successes_in(self, family: Family) -> GoodCalls:
        """Returns the good calls of a family as triggers see them, newest first."""
        if not family.program and is_shell(family.tool):
            return GoodCalls()
        names = self._names(("" if family.program else family.tool, family.program, family.subcommand))
        if len(self._calls) > _MOST_REMEMBERED:
            self._calls.clear()
        found = list(map(self._calls.get, names))
        if None in found:
            unread = [name for name, call in zip(names, found, strict=True) if call is None]
            self._calls.update((row.tool_use_id, success_of(row)) for row in self.named(unread))
            found = list(map(self._calls.get, names))
        return GoodCalls.of_calls(call for call in found if call is not None)

    def _names(self, key: Key) -> list[str]:
        return self._good[key].names() if key in self._good else []
