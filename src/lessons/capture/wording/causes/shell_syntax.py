"""The shell reads the line in another way than meant: a separator is missing, or it is another shell."""

import re

from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.error import spoken
from lessons.capture.wording.text import code
from lessons.episode import Episode
from lessons.failure.telling_line import telling_line

_LONGEST_CODE = 70
_LONGEST_ERROR = 80
_SHELL = re.compile(r"(?:ba|z|da|k|fi)?sh(?: -\w+)* -\w*c|(?:pwsh|powershell)(?: -\w+)* -(?:c|Command)")


def cause(episode: Episode) -> Cause | None:
    change = episode.change
    told = spoken(telling_line(episode.failure.error), _LONGEST_ERROR)
    if change.kind == "wrong-command" and not change.before and _SHELL.fullmatch(change.after):
        return Cause(
            f"The shell does not read this line as meant: {told}", f"Run it through `{change.after} '…'`", True
        )
    before, after = change.before, change.after
    if change.kind != "quoting" or before == after or before.replace(";", "") != after.replace(";", ""):
        return None
    remedy = f"Write {code(after, _LONGEST_CODE)} instead of {code(before, _LONGEST_CODE)}"
    return Cause(f"The shell splits this line at other places than meant: {told}", remedy, True)
