"""Steps of a thread built in code: shell calls and calls of other tools, a second apart, as mining sees them."""

import json

import msgspec

from lessons.episode import Step
from lessons.shell.describe import hides_exit, program_of

HOME = "/srv/shop"


def ran(command: str, cwd: str = HOME, outcome: str = "ok", error: str = "", code: int | None = 0) -> Step:
    """A shell call that went well."""
    program, subcommand = program_of(command)
    arguments = json.dumps({"command": command})
    hidden = hides_exit(command)
    return Step(
        "", "Bash", program, subcommand, command, "", arguments, outcome, error, False, cwd, "", "", code, hidden
    )


def failed(command: str, error: str = "it went wrong", cwd: str = HOME, code: int = 1) -> Step:
    return ran(command, cwd, "failed", f"Exit code {code}\n{error}", code)


def used(tool: str, path: str = "", outcome: str = "ok", error: str = "", **arguments: object) -> Step:
    """A call of another tool than the shell."""
    return Step("", tool, "", "", "", path, json.dumps(arguments), outcome, error, cwd=HOME)


def thread(*steps: Step) -> list[Step]:
    """Each begins a second after the one before it began, and ends within it."""
    return [
        msgspec.structs.replace(
            step,
            tool_use_id=f"call-{number}",
            time=f"2026-01-31T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.000Z",
            ended=f"2026-01-31T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.500Z",
        )
        for number, step in enumerate(steps)
    ]
