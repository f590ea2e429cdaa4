"""Finds the command of a step that changes something: a command that only reads cannot be the fix."""

import re

from lessons.capture.signals.content import around
from lessons.episode import Step
from lessons.shell.line import LONGEST_LINE, Part, parts
from lessons.shell.looks import looks

_MOST_COMMANDS = 50
_SILENCES = re.compile(r"\d?>&\d|[\d&]?>>?/dev/null")
_LOOKING_TOOL = re.compile(
    r"(?:\A|_)(?:get|list|read|search|find|snapshot|view|status|describe|fetch|query|console)(?:_|\Z)"
)
_LOOKING_TOOLS = frozenset(("Read", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "NotebookRead"))


def doing(step: Step) -> list[str]:
    """Returns the commands of the line that change something, as written; for other tools the name."""
    if not step.command:
        return [step.tool] if step.tool.startswith("mcp__") and not is_looking_tool(step.tool) else []
    script = step.command[:LONGEST_LINE]
    return [_as_written(script, part) for part in parts(script)[:_MOST_COMMANDS] if not looks(part)]


def is_looking_tool(tool: str) -> bool:
    return tool in _LOOKING_TOOLS or _LOOKING_TOOL.search(tool.rpartition("__")[2]) is not None


def _as_written(script: str, part: Part) -> str:
    shown = (word for word in part.words if not _SILENCES.fullmatch(word))
    return around(script, tuple(part.words)) + " ".join(shown)
