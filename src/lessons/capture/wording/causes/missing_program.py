"""The shell does not find the program."""

from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import code, unticked
from lessons.episode import Episode
from lessons.failure.telling_line import telling_line
from lessons.shell.missing import missing_program

_LONGEST = 70
_RUN_TEXT = "The shell runs what stands between backquotes, inside double quotes too (command not found)"
_QUOTE = "Put the text between single quotes, or into a file"


def cause(episode: Episode) -> Cause | None:
    missing = unticked(missing_program(telling_line(episode.failure.error)))
    if not missing:
        return None
    if episode.change.kind == "quoting":
        return Cause(_RUN_TEXT, _QUOTE, True) if f"`{missing}" in episode.failure.command else None
    name = code(missing, _LONGEST)
    problem = f"{name} is not installed or not on PATH here (command not found)"
    change = episode.change
    if episode.fix is None or change.kind not in ("missing-tool", "wrong-command") or not change.after:
        return Cause(problem, f"No replacement was seen: check `command -v {missing}` before relying on it")
    if change.kind == "wrong-command" and not change.before:
        return Cause(problem, f"Run it through {code(change.after, _LONGEST)}", True)
    return Cause(problem, f"Use {code(change.after, _LONGEST)} instead", True)
