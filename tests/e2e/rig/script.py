"""Short answers of a model in, turns of a scripted conversation out."""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Block = dict[str, Any]
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Turn:
    """One answer: `before` runs in the test's process and `thinks` seconds pass before it is sent."""

    blocks: tuple[Block, ...]
    usage: Mapping[str, int] = field(default_factory=dict)
    before: Callable[[], object] | None = None
    thinks: float = 0.0

    def after(self, before: Callable[[], object]) -> "Turn":
        return replace(self, before=before)

    def thinking(self, seconds: float) -> "Turn":
        return replace(self, thinks=seconds)

    def using(self, input_tokens: int) -> "Turn":
        """With so large a context on the bill, as a client takes it for the reason to compact."""
        return replace(self, usage={"input_tokens": input_tokens})

    @property
    def stop_reason(self) -> str:
        return "tool_use" if any(block["type"] == "tool_use" for block in self.blocks) else "end_turn"


def say(text: str) -> Turn:
    return Turn(({"type": "text", "text": text},))


def call(tool: str, arguments: Mapping[str, object], id: str = "") -> Turn:
    """A call of any tool; every call has an id of its own."""
    identifier = id or f"toolu_scripted_{next(_numbers):05d}"
    return Turn(({"type": "tool_use", "id": identifier, "name": tool, "input": dict(arguments)},))


def custom(tool: str, text: str, id: str = "") -> Turn:
    """A call of a tool that takes a text instead of arguments."""
    identifier = id or f"call_scripted_{next(_numbers):010d}"
    return Turn(({"type": "custom_tool_use", "id": identifier, "name": tool, "input": text},))


def bash(command: str, id: str = "") -> Turn:
    return call("Bash", {"command": command, "description": "A step of the script"}, id)


def agent(prompt: str, id: str = "") -> Turn:
    """A subagent that the conversation waits for; its own turns are the route of a part of its prompt."""
    arguments = {"description": "A scripted subagent", "prompt": prompt, "subagent_type": "general-purpose"}
    return call("Agent", {**arguments, "run_in_background": False}, id)


def together(*turns: Turn) -> Turn:
    """All of it in one answer: calls that run in parallel."""
    return replace(turns[0], blocks=tuple(block for turn in turns for block in turn.blocks))
