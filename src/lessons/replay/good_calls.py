"""Calls of sessions that have ended in, those of a family that went well out, the newest first."""

from functools import cache
from operator import itemgetter

from lessons.match.call import ToolCall
from lessons.match.tools import canonical_name
from lessons.promote.propose.proposals import ANY, Family, success_of
from lessons.store.history.history import History
from lessons.store.history.past_calls import MOST_SUCCESSES, SessionCall

_MOST_REMEMBERED = 100_000  # calls that were read as a whole
_OK = "ok"


Key = tuple[str, str, str]  # of a family; the tool alone, or nothing but the program and its sub-command


class GoodCalls:
    """Answers what `successes_of` asks the history, without reading the same calls again for every question."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._newest: dict[Key, list[tuple[str, str]]] = {}  # time and name
        self._unsorted: set[Key] = set()
        self._calls: dict[str, ToolCall] = {}

    def add(self, call: SessionCall) -> None:
        if call.outcome != _OK:
            return
        entry = (call.time, call.tool_use_id)
        if call.program:
            self._put(("", call.program, call.subcommand), entry)
            self._put(("", call.program, ANY), entry)
        if not _is_shell(call.tool):
            self._put((call.tool, "", ""), entry)

    def _put(self, family: Key, entry: tuple[str, str]) -> None:
        newest = self._newest.setdefault(family, [])
        newest.append(entry)
        self._unsorted.add(family)
        if len(newest) > 4 * MOST_SUCCESSES:
            self._cut(family)

    def __call__(self, family: Family) -> list[ToolCall]:
        if not family.program and _is_shell(family.tool):
            return []
        key = ("" if family.program else family.tool, family.program, family.subcommand)
        self._cut(key)
        names = [name for _, name in self._newest.get(key, ())]
        if len(self._calls) > _MOST_REMEMBERED:
            self._calls.clear()
        unread = [name for name in names if name not in self._calls]
        self._calls.update((row.tool_use_id, success_of(row)) for row in self._history.calls.named(unread))
        return [self._calls[name] for name in names if name in self._calls]

    def _cut(self, family: Key) -> None:
        """In the order in which the history gives them: the newest first, and by name those of one moment."""
        if family in self._unsorted:
            newest = self._newest[family]
            newest.sort()
            newest.sort(key=itemgetter(0), reverse=True)
            del newest[MOST_SUCCESSES:]
            self._unsorted.remove(family)


@cache
def _is_shell(tool: str) -> bool:
    return canonical_name(tool) == "Bash"
