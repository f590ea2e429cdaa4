"""A line that the shell cannot parse: a separator is missing, or the syntax is of another shell."""

from lessons.capture.signals.quoting import SHELL
from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.error import spoken
from lessons.capture.wording.text import code
from lessons.episode import Episode
from lessons.failure.telling_line import telling_line

_LONGEST_CODE = 70
_LONGEST_ERROR = 80


def cause(episode: Episode) -> Cause | None:
    change = episode.change
    told = spoken(telling_line(episode.failure.error), _LONGEST_ERROR)
    if change.kind == "wrong-command" and not change.before and SHELL.fullmatch(change.after):
        return Cause(
            f"This line uses the syntax of another shell: {told}", f"Run it through `{change.after} '…'`", True
        )
    before, after = change.before, change.after
    if change.kind != "quoting" or not (before and after) or before == after:
        return None
    if before.replace(";", "") != after.replace(";", ""):
        return None
    remedy = f"Write {code(after, _LONGEST_CODE)} instead of {code(before, _LONGEST_CODE)}"
    return Cause(f"{_separator(before, after)}: {told}", remedy, True)


def _separator(before: str, after: str) -> str:
    place = next((index for index, sign in enumerate(after) if before[index : index + 1] != sign), 0)
    following = after[place + 1 :].split() if after[place] == ";" else []
    if before.count(";") >= after.count(";") or not following:
        return "A `;` is in the wrong place"
    return f"Missing `;` before {code(following[0], _LONGEST_CODE)}"
