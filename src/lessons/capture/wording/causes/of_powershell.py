"""Syntax of other shells that PowerShell does not support."""

import re

from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import code
from lessons.episode import Episode

_LONGEST_CODE = 60
_SEPARATOR = re.compile(r"The token '(&&|\|\|)' is not a valid statement separator")
_ASSIGNMENT = re.compile(r"The term '(([A-Za-z_]\w*)=([^'\n]*))' is not recognized")
_IN_TURN = "Use `;` between the commands, or `if ($?) { … }` where the second depends on the first"


def cause(episode: Episode) -> Cause | None:
    if found := _SEPARATOR.search(episode.failure.error):
        return Cause(f"This PowerShell does not know {code(found[1], _LONGEST_CODE)}", _IN_TURN)
    if found := _ASSIGNMENT.search(episode.failure.error):
        written, name, value = found.groups()
        problem = f"PowerShell takes {code(written, _LONGEST_CODE)} before a command for a program"
        assigned = f"$env:{name} = '{value}'; …"
        remedy = f"Set it first: {code(assigned, _LONGEST_CODE)}"
        return Cause(f"{problem}: only other shells set a variable so", remedy)
    return None
