"""The last shell lines of a session that worked, and the last that failed."""

import re
from typing import NamedTuple

from lessons.agents.outcomes import Verdict
from lessons.continuity.derive.texts import kept, kept_line
from lessons.failure.clean import unframed
from lessons.failure.telling_line import is_telling
from lessons.session import RanCommand
from lessons.shell.hidden_exit import error_like, hides_exit

_MOST_WORKED = 10
_MOST_FAILED = 5
_LONGEST_COMMAND = 1_000
_LONGEST_ERROR = 300
_LONGEST_LINE = 200
_MOST_TELLING_LINES = 3
# Sub-commands that may create a commit and move HEAD to it.
_COMMITS = re.compile(
    r"\bgit\b(?:\s{1,20}-\S{1,200}(?:\s{1,20}[^\s-]\S{0,200})?){0,6}\s{1,20}"
    r"(?:commit|commit-tree|cherry-pick|merge|revert|rebase|am|pull)\b"
)


class Ran(NamedTuple):
    """The last lines that worked and those that failed, latest last."""

    worked: list[RanCommand]
    failed: list[RanCommand]


def command_of(line: str) -> str:
    """Returns a shell line as stored: as written, including newlines."""
    return kept(line, _LONGEST_COMMAND)


def may_commit(line: str) -> bool:
    """Whether the line may create a commit."""
    return "git" in line and _COMMITS.search(line) is not None


def after(ran: Ran, command: str, verdict: Verdict, printed: str, time: str) -> Ran:
    """Adds a line that ended; a repeated line is listed once, at its last run.

    A line whose status is that of its last part alone (`x | tail`, `x || true`) gets no exit code. It counts as failed
    if its output looks like an error.
    """
    if verdict.outcome not in ("ok", "failed") or verdict.by_hook or not command:
        return ran
    worked = [each for each in ran.worked if each.command != command]
    failed = [each for each in ran.failed if each.command != command]
    is_hidden = verdict.outcome == "ok" and hides_exit(command)
    if verdict.outcome == "ok" and not (is_hidden and error_like(printed)):
        worked.append(RanCommand(command=command, exit_code=None if is_hidden else verdict.exit_code, time=time))
    else:
        error = telling_lines(printed)
        failed.append(RanCommand(command=command, exit_code=verdict.exit_code or None, error=error, time=time))
    return Ran(worked[-_MOST_WORKED:], failed[-_MOST_FAILED:])


def telling_lines(printed: str) -> str:
    """Returns the lines of a failed command's output that look like an error, else the first and the last ones."""
    lines = [line.strip() for line in unframed(printed).splitlines()]
    lines = list(dict.fromkeys(line for line in lines if line))
    telling = [line for line in lines if is_telling(line[:_LONGEST_LINE])][:_MOST_TELLING_LINES]
    chosen = telling or [*lines[:1], *lines[1:][1 - _MOST_TELLING_LINES :]]
    return kept("\n".join(kept_line(line, _LONGEST_LINE) for line in chosen), _LONGEST_ERROR)
