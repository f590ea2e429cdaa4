"""The name of what a call has called, and of what its error blames."""

import re

from lessons.capture.wording.error import telling_of
from lessons.episode import Step
from lessons.shell.blame import SHELL, Blame, blame
from lessons.shell.family import family_of, family_of_line

_SHELLS = re.compile(r"(?:\(eval\)|(?:[\w.-]{0,30}/){0,5}(?:ba|z|da|k|fi)?sh)(?::(?: line)? ?\d+)?: (.*)")
_MISSING = re.compile(r"command not found: ([\w./+@-]{1,80})|([\w./+@-]{1,80}): (?:command )?not found$")


def family(step: Step) -> str:
    """`git add`, `npm run build`, `mcp__browser__click`; calls of one family can be compared."""
    return family_of_line(step.command, step.program, step.subcommand) if step.command else step.tool


def blame_of(step: Step) -> Blame | None:
    """The command of a shell call that its error is about."""
    return blame(step.command, step.error, telling_of(step.error)) if step.command else None


def blamed(step: Step) -> str:
    """The family that the error speaks of: in `sed … | cat -A` it is `cat` that complains, in `ls *.x` the shell."""
    if not step.command:
        return step.tool
    line = telling_of(step.error)
    shell = _SHELLS.match(line)
    if shell:
        missing = _MISSING.search(shell[1][:200])
        return (missing[1] or missing[2]) if missing else SHELL
    found = blame_of(step)
    if found is None or found.part.inner:
        return family(step)
    return family_of(found.part.words) or family(step)


def surely_blamed(step: Step) -> str:
    """The program that the error speaks of; empty where any of several may be meant."""
    found = blame_of(step)
    if found and not found.is_sure and not _SHELLS.match(telling_of(step.error)):
        return ""
    return blamed(step).partition(" ")[0]
