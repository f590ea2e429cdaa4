"""A table of failures in, the failed calls out: `$$ [exit code] command`, and then the terminal output."""

import re

from lessons.episode import Step
from lessons.shell.program import program_of

_HEAD = re.compile(r"^\$\$ (?:\[(\d+)\] )?(.*)\n", re.MULTILINE)


def failures(table: str) -> list[Step]:
    pieces = _HEAD.split(table)[1:]
    return [failed(*one) for one in zip(pieces[1::3], pieces[2::3], map(_code, pieces[::3]), strict=True)]


def failed(command: str, error: str, exit_code: int = 1) -> Step:
    """A call of a server's tool where the command is one's name; else a shell line."""
    if command.startswith("mcp__"):
        tool, _, arguments = command.partition(" ")
        return Step(tool, tool, "", "", "", "", arguments or "{}", "failed", error.strip())
    shown = f"Exit code {exit_code}\n{error.strip()}"
    return Step(command, "Bash", *program_of(command), command, "", "{}", "failed", shown, exit_code=exit_code)


def name(step: Step) -> str:
    return step.tool_use_id[:60]


def _code(written: str | None) -> int:
    return int(written) if written else 1
