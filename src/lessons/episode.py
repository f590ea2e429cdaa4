"""The nouns of mining: a call in its thread, the change that resolved it, the episode of both, and a correction."""

from typing import Literal

import msgspec

# What kind of mistake a candidate is about.
Kind = Literal[
    "wrong-flag",  # an option dropped, added or replaced
    "wrong-command",  # another program, another sub-command, a wrapper dropped or added
    "missing-tool",  # the program is not there; another one did it
    "wrong-path",  # the same after `cd`, or with another path
    "quoting",  # the same words, quoted or escaped otherwise
    "order-of-steps",  # the very same call worked after something else was run
    "wrong-arguments",  # other arguments of the same command or tool
    "other-tool",  # done with another tool instead
    "telling-error",  # no fixing call is to be seen; the error says what was wrong with the call
    "protocol",  # the agent's own tool rules, which the error explains itself
]


class Step(msgspec.Struct, frozen=True, gc=False):
    """A call as mining sees it; a thread is a list of them in the order in which they were made."""

    tool_use_id: str
    tool: str  # "Bash", "Edit", "mcp__server__tool"
    program: str  # of shell calls, behind wrappers: "git"
    subcommand: str  # "add", "pr diff"; often empty
    command: str  # the whole shell line, redacted; empty for other tools
    path: str  # the first path argument of other tools
    arguments: str  # JSON
    outcome: str  # ok, failed, refused, cancelled, interrupted, unknown
    error: str = ""  # of failed calls, redacted and shortened: begins "Exit code 1\n…" for shells
    suspicious: bool = False  # ok, but reads like a failure behind a pipe
    cwd: str = ""
    time: str = ""  # 2026-01-31T10:00:00.000Z
    ended: str = ""
    exit_code: int | None = None
    hides_exit: bool = False  # the shell may report success although a command of the line failed


class Change(msgspec.Struct, frozen=True, gc=False):
    """What was different in the call that worked; words as they stand in the commands."""

    kind: Kind
    before: str = ""  # what went: "--stat", "python", "cd-less path", …; empty where something was only added
    after: str = ""  # what came: "--name-only", "python3"; for order-of-steps the command that was run in between


class Episode(msgspec.Struct, frozen=True, gc=False):
    """A failed call, and the one that resolved it if there is one."""

    failure: Step
    fix: Step | None
    change: Change
    calls_lost: int  # calls of the thread from the failure to the fix, the failure included
    told: bool = False  # the error itself says that the call was wrong
    later_worked: int = 0  # of the later calls of the thread that have what the fix brought
    later_tried: int = 0


class Correction(msgspec.Struct, frozen=True, gc=False):
    """A durable rule that a person typed in answer to what the agent did."""

    rule: str  # one line, the person's own words, cut to what is the rule
    sureness: float  # 0 to 1: how sure that it is meant for the next time too
