"""Calls that worked: their texts are searched at once, each call is made only when a trigger needs it."""

import copy
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property
from itertools import accumulate

import msgspec

from lessons.match.call import ToolCall, command_of, known_names
from lessons.match.rule import in_project
from lessons.store.history.past_calls import StoredCall


def arguments_of(row: StoredCall) -> object:
    """Returns the command alone if they cannot be decoded."""
    try:
        return msgspec.json.decode(row.arguments)
    except msgspec.MsgspecError:
        return {"command": row.command} if row.command else {}


def call_of(row: StoredCall) -> ToolCall:
    about = {"tool_use_id": row.tool_use_id, "cwd": row.cwd, "agent": row.agent, "model": row.model}
    return ToolCall(row.tool, arguments_of(row), error=row.error or None, **about)


def success_of(row: StoredCall) -> ToolCall:
    """The same without the text that made a good call suspicious."""
    return call_of(msgspec.structs.replace(row, error="") if row.error else row)


_BETWEEN = b"\0"  # two texts
_BYTES_OF_A_CALL = 600  # without its text


class GoodCall(msgspec.Struct, gc=False):
    """There may be tens of thousands, of which few are matched."""

    text: str  # everything that a command pattern could look at
    cwd: str
    tool_use_id: str
    row: StoredCall | None
    made: ToolCall | None = None

    def call(self) -> ToolCall:
        """Returns the call as the hook would see it before it runs."""
        if self.made is None:
            assert self.row is not None
            self.made = success_of(self.row)
        return self.made


class GoodCalls:
    """An immutable list: many mistakes are compared with the same calls."""

    def __init__(self, calls: Iterable[GoodCall] = ()) -> None:
        self._calls = list(calls)
        self._inside: dict[str, GoodCalls] = {}

    @classmethod
    def of_rows(cls, rows: Iterable[StoredCall]) -> "GoodCalls":
        return cls(map(_good_call, rows))

    @classmethod
    def of_calls(cls, calls: Iterable[ToolCall]) -> "GoodCalls":
        return cls(GoodCall(text_of(call), call.cwd, call.tool_use_id, None, before(call)) for call in calls)

    @classmethod
    def joined(cls, parts: "Iterable[GoodCalls]") -> "GoodCalls":
        """Returns the calls of all parts, each once."""
        several = list(parts)
        if len(several) == 1:
            return several[0]
        return cls({call.tool_use_id or id(call): call for part in several for call in part}.values())

    def __len__(self) -> int:
        return len(self._calls)

    def __iter__(self) -> Iterator[GoodCall]:
        return iter(self._calls)

    @cached_property
    def size(self) -> int:
        """About how many bytes they take."""
        return sum(2 * len(call.text) + _BYTES_OF_A_CALL for call in self._calls)

    @cached_property
    def _texts(self) -> bytearray:
        """All texts, encoded: as a string, one emoji would make all of them four times as long."""
        joined = bytearray()
        for call in self._calls:
            joined += _encoded(call.text) + _BETWEEN
        return joined

    @cached_property
    def _starts(self) -> list[int]:
        lengths = (len(_encoded(call.text)) + len(_BETWEEN) for call in self._calls)
        return list(accumulate(lengths, initial=0))

    def inside(self, project: str | None) -> "GoodCalls":
        """Returns those whose folder is in the project; without one, all."""
        if not project:
            return self
        if project not in self._inside:
            inside = {cwd: in_project((project,), cwd) for cwd in {call.cwd for call in self._calls}}
            self._inside[project] = GoodCalls(call for call in self._calls if inside[call.cwd])
        return self._inside[project]

    def holding(self, literals: Collection[str]) -> Iterator[GoodCall]:
        """Yields those whose texts have every literal: splitting a command takes a thousand times longer."""
        if not literals:
            yield from self._calls
            return
        longest = _encoded(max(literals, key=len))
        position = self._texts.find(longest) if self._calls else -1
        while 0 <= position < self._starts[-1]:
            number = bisect_right(self._starts, position) - 1
            text = self._calls[number].text
            if all(literal in text for literal in literals):
                yield self._calls[number]
            position = self._texts.find(longest, self._starts[number + 1])


def before(call: ToolCall) -> ToolCall:
    """Returns the call without the error it ended in: with it, only triggers about errors are looked at."""
    if call.error is None:
        return call
    plain = copy.copy(call)
    plain.error = None
    return plain


def text_of(call: ToolCall) -> str:
    """Returns everything of a call that a command pattern could look at."""
    return call.command or "" if call.is_shell else "\n".join(call.strings)


def _good_call(row: StoredCall) -> GoodCall:
    if not is_shell(row.tool):
        return GoodCall(text_of(success_of(row)), row.cwd, row.tool_use_id, row)
    arguments = arguments_of(row)
    line = (command_of(arguments) if isinstance(arguments, dict) else None) or ""
    if line == row.command:
        row = msgspec.structs.replace(row, arguments="")  # `arguments_of` then returns the line: one copy is enough
    return GoodCall(line, row.cwd, row.tool_use_id, row)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@cache
def is_shell(tool: str) -> bool:
    return known_names(tool)[0] == "Bash"
