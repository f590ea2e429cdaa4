"""The agents that `lessons` works with, one row each; a module of an agent is loaded only when it is asked for."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from lessons.agents.base import Reader
    from lessons.agents.hook_event import Wire

# Name of the agent -> its folder beside this file.
AGENTS = {"claude-code": "claude_code"}
DEFAULT_AGENT = "claude-code"


def part_of(agent: str, name: str) -> "ModuleType":
    """The module of that name in the agent's folder; every agent has the same ones (base.py says which)."""
    module = f"lessons.agents.{AGENTS[agent]}.{name}"
    if module not in sys.modules:
        __import__(module)
    return sys.modules[module]


def reader_of(agent: str) -> "Reader":
    """Reads of the agent's transcripts what capture needs."""
    reader: Reader = part_of(agent, "transcript").READER
    return reader


def wire_of(agent: str) -> "Wire":
    """Reads the agent's hook payloads and writes the answers."""
    wire: Wire = part_of(agent, "wire")
    return wire


def full_reader_of(agent: str) -> "Reader":
    """The same with every text that was said, printed or asked for."""
    reader: Reader = part_of(agent, "transcript").FULL_READER
    return reader
