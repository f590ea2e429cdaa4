"""The nouns of mining: a call in its thread, a failed call with its fix, and a correction."""

from typing import Literal

import msgspec

# The kind of mistake of a candidate.
Kind = Literal[
    "wrong-flag",  # an option dropped, added or replaced
    "wrong-command",  # another program, another sub-command, a wrapper dropped or added
    "missing-tool",  # the program is missing; another one did the work
    "wrong-path",  # the same after `cd`, or with another path
    "quoting",  # the same words, quoted or escaped differently
    "order-of-steps",  # the identical call worked after another command, or with a variable set
    "wrong-arguments",  # other arguments of the same command or tool
    "other-tool",  # done with another tool instead
    "telling-error",  # no fixing call was found
]


class Step(msgspec.Struct, frozen=True, gc=False):
    """A call as mining sees it; a thread is a list of steps in call order."""

    tool_use_id: str
    tool: str  # "Bash", "Edit", "mcp__server__tool"
    program: str  # of shell calls, after wrappers: "git"
    subcommand: str  # "add", "pr diff"; often empty
    command: str  # the whole shell line, redacted; empty for other tools
    path: str  # the first path argument of other tools
    arguments: str  # JSON
    outcome: str  # ok, failed, refused, cancelled, interrupted, unknown
    error: str = ""  # of failed calls, redacted and shortened: starts with "Exit code 1\n…" for shells
    suspicious: bool = False  # ok, but looks like a failure hidden by a pipe
    cwd: str = ""
    time: str = ""  # 2026-01-31T10:00:00.000Z
    ended: str = ""
    exit_code: int | None = None
    hides_exit: bool = False  # the shell may report success although a command of the line failed


class Episode(msgspec.Struct, frozen=True, gc=False):
    """A failed call, and the one that fixed it, if any."""

    failure: Step
    fix: Step | None


class Correction(msgspec.Struct, frozen=True, gc=False):
    """A permanent rule that a person typed in response to the agent."""

    rule: str  # one line, the person's own text, cut to the rule
    sureness: float  # 0 to 1: how certain it is that the rule also applies next time
