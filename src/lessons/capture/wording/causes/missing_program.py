"""The shell does not find the program."""

from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.causes.ran_text import PROBLEM, REMEDY
from lessons.capture.wording.text import code, unticked
from lessons.episode import Change, Episode
from lessons.failure.telling_line import telling_line
from lessons.shell.elsewhere import carrier
from lessons.shell.missing import missing_program

_LONGEST_CODE = 70


def cause(episode: Episode) -> Cause | None:
    missing = unticked(missing_program(telling_line(episode.failure.error)))
    if not missing:
        return None
    if episode.change.kind == "quoting":
        return (
            Cause(f"{PROBLEM} (command not found)", REMEDY, True) if f"`{missing}" in episode.failure.command else None
        )
    name = code(missing, _LONGEST_CODE)
    change = episode.change
    if outer := carrier(episode.failure.command, missing):
        return _elsewhere(f"{name} is not on PATH where {code(outer, _LONGEST_CODE)} runs it", change)
    problem = f"{name} is not installed or not on PATH here (command not found)"
    if episode.fix is None or change.kind not in ("missing-tool", "wrong-command") or not change.after:
        asked = "Get-Command" if episode.failure.tool == "PowerShell" else "command -v"
        return Cause(problem, f"No replacement was seen: check `{asked} {missing}` before relying on it")
    if change.kind == "wrong-command" and not change.before:
        return Cause(problem, f"Run it through {code(change.after, _LONGEST_CODE)}", True)
    return Cause(problem, f"Use {code(_without_same_end(change.before, change.after), _LONGEST_CODE)} instead", True)


def _elsewhere(problem: str, change: Change) -> Cause | None:
    """Returns None where the change alone tells more: another program was started there."""
    if change.kind == "telling-error" or not change.after:
        return Cause(problem, "Install it there, or use a program that is installed there")
    if change.kind not in ("missing-tool", "wrong-command", "wrong-arguments"):
        return None
    old = f" instead of {code(change.before, _LONGEST_CODE)}" if change.before else ""
    return Cause(problem, f"Use {code(change.after, _LONGEST_CODE)}{old}", True)


def _without_same_end(before: str, after: str) -> str:
    """Returns `gtimeout` of `gtimeout 60` if it was `timeout 60` before."""
    old, new = before.split(), after.split()
    while len(old) > 1 and len(new) > 1 and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return " ".join(new)
