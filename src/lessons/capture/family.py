"""The family of a call, and of what its error blames."""

from lessons.episode import Step
from lessons.failure.telling_line import telling_line
from lessons.shell.blame import SHELL, Blame, blame
from lessons.shell.family import family_of, family_of_line
from lessons.shell.missing import is_said_by_shell, missing_program


def family(step: Step) -> str:
    """Returns `git add`, `npm run build` or `mcp__browser__click`; calls of one family can be compared."""
    return family_of_line(step.command, step.program, step.subcommand) if step.command else step.tool


def blame_of(step: Step) -> Blame | None:
    """Returns the command of a shell call that its error is about."""
    return blame(step.command, step.error, telling_line(step.error)) if step.command else None


def blamed(step: Step) -> str:
    """Returns the family the error is about: in `sed … | cat -A` it is `cat`, in `ls *.x` the shell."""
    if not step.command:
        return step.tool
    said = telling_line(step.error)
    if is_said_by_shell(said):
        return missing_program(said) or SHELL
    found = blame_of(step)
    if found is None or found.part.inner:
        return family(step)
    return family_of(found.part.words) or family(step)


def surely_blamed(step: Step) -> str:
    """Returns the program the error is about; empty if it may be one of several."""
    found = blame_of(step)
    if found and not found.is_sure and not is_said_by_shell(telling_line(step.error)):
        return ""
    return blamed(step).partition(" ")[0]
