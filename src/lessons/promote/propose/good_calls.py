"""Calls that worked, for comparison: their texts at hand, each call made only when something looks closer."""

import copy
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import accumulate

import msgspec

from lessons.match.call import ToolCall, command_of
from lessons.match.rule import in_project
from lessons.match.tools import known_names
from lessons.promote.past_call import arguments_of, success_of
from lessons.store.history.past_calls import StoredCall

_BETWEEN = b"\0"  # two texts
_BYTES_OF_A_CALL = 600  # without its text, which its arguments may repeat
# Arguments of a shell that no trigger looks at, beside the line.
_BESIDE_A_LINE = frozenset({"command", "description", "timeout", "run_in_background"})


class GoodCall(msgspec.Struct, gc=False):
    """One of them; there may be tens of thousands, of which few are looked at."""

    text: str  # everything that a command pattern could look at
    cwd: str
    tool_use_id: str
    row: StoredCall | None
    made: ToolCall | None = None

    @property
    def is_line(self) -> bool:
        """Whether the text is the line of a shell."""
        return _is_shell(self.row.tool) if self.row else self.made is not None and self.made.is_shell

    def call(self) -> ToolCall:
        """The call as the hook would see it before it runs."""
        if self.made is None:
            assert self.row is not None
            self.made = success_of(self.row)
        return self.made


class GoodCalls:
    """Some of them in their order. It never changes: many mistakes are compared with the same calls."""

    def __init__(self, calls: Iterable[GoodCall] = ()) -> None:
        self._calls = list(calls)
        self._inside: dict[str, GoodCalls] = {}
        self._counts: dict[str, int] = {}

    @classmethod
    def of_rows(cls, rows: Iterable[StoredCall], known: Mapping[str, GoodCall] | None = None) -> "GoodCalls":
        """The calls of these rows; those that are known already, by their ids, are not made again."""
        have = known or {}
        return cls(have.get(row.tool_use_id) or _good_call(row) for row in rows)

    @classmethod
    def of_calls(cls, calls: "Iterable[ToolCall] | GoodCalls") -> "GoodCalls":
        """The same calls."""
        if isinstance(calls, GoodCalls):
            return calls
        return cls(GoodCall(text_of(call), call.cwd, call.tool_use_id, None, before(call)) for call in calls)

    def __len__(self) -> int:
        return len(self._calls)

    def __iter__(self) -> Iterator[GoodCall]:
        return iter(self._calls)

    @cached_property
    def size(self) -> int:
        """About how many bytes they take."""
        return sum(2 * len(call.text) + _BYTES_OF_A_CALL for call in self._calls)

    @cached_property
    def texts(self) -> list[str]:
        return [call.text for call in self._calls]

    @cached_property
    def _joined(self) -> bytearray:
        """All texts, encoded: as a string, one emoji would make all of them four times as long."""
        joined = bytearray()
        for call in self._calls:
            joined += _encoded(call.text) + _BETWEEN
        return joined

    @cached_property
    def _starts(self) -> list[int]:
        """Where each text begins in the joined ones, and where one behind the last would."""
        lengths = (len(_encoded(call.text)) + len(_BETWEEN) for call in self._calls)
        return list(accumulate(lengths, initial=0))

    def plus(self, calls: "Collection[ToolCall] | GoodCalls") -> "GoodCalls":
        """With these behind them."""
        return GoodCalls([*self, *GoodCalls.of_calls(calls)]) if calls else self

    def inside(self, project: str | None) -> "GoodCalls":
        """Those whose folder is in the project; without one, all."""
        if not project:
            return self
        if project not in self._inside:
            inside = {cwd: in_project((project,), cwd) for cwd in {call.cwd for call in self._calls}}
            self._inside[project] = GoodCalls(call for call in self._calls if inside[call.cwd])
        return self._inside[project]

    def holding(self, literals: Collection[str]) -> Iterator[GoodCall]:
        """Those whose texts have every literal: splitting a command takes a thousand times longer.

        The rarest is looked for in all texts at once.
        """
        if not literals:
            yield from self._calls
            return
        rarest = _encoded(min(literals, key=self._times))
        position = self._joined.find(rarest) if self._calls else -1
        while 0 <= position < self._starts[-1]:
            number = bisect_right(self._starts, position) - 1
            text = self._calls[number].text
            if all(literal in text for literal in literals):
                yield self._calls[number]
            position = self._joined.find(rarest, self._starts[number + 1])

    def _times(self, literal: str) -> int:
        """How often it occurs."""
        if literal not in self._counts:
            self._counts[literal] = self._joined.count(_encoded(literal))
        return self._counts[literal]

    def sample(self, size: int, apart_from: Collection[str]) -> list[ToolCall]:
        """About so many at equal distances, of those with another text."""
        numbers: Sequence[int] = range(len(self._calls))
        if apart_from:
            numbers = [number for number, text in enumerate(self.texts) if text not in apart_from]
        return [self._calls[number].call() for number in numbers[:: len(numbers) // size + 1]]


def before(call: ToolCall) -> ToolCall:
    """The call without the error it ended in: with it, only triggers about errors are looked at."""
    if call.error is None:
        return call
    plain = copy.copy(call)
    plain.error = None
    return plain


def text_of(call: ToolCall) -> str:
    """Everything of a call that a command pattern could look at."""
    return call.command or "" if call.is_shell else "\n".join(call.strings)


def _good_call(row: StoredCall) -> GoodCall:
    """The call is not made where a line is all there is to it, nor are arguments kept that only repeat the line."""
    if not _is_shell(row.tool):
        return GoodCall(text_of(success_of(row)), row.cwd, row.tool_use_id, row)
    arguments = arguments_of(row)
    line = (command_of(arguments) if isinstance(arguments, dict) else None) or ""
    if not line or line != row.command:
        return GoodCall(line, row.cwd, row.tool_use_id, row)
    if isinstance(arguments, dict) and arguments.keys() <= _BESIDE_A_LINE:
        row = msgspec.structs.replace(row, arguments="")  # `arguments_of` then returns the line
    return GoodCall(row.command, row.cwd, row.tool_use_id, row)  # one copy is enough


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@cache
def _is_shell(tool: str) -> bool:
    return known_names(tool)[0] == "Bash"
