"""An argument that starts with a dash was taken for an option."""

import re

from lessons.capture.family import blame_of
from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import code
from lessons.episode import Episode
from lessons.failure.telling_line import telling_line

_SAID = re.compile(r"(?:flag|option|argument) -{1,2}\s*$|option -- ' '")
_ARGUMENT = re.compile(r"""(?<!\S)["']--? """)
_LONGEST_CODE = 60


def cause(episode: Episode) -> Cause | None:
    found = blame_of(episode.failure)
    if found is None or not _ARGUMENT.search(episode.failure.command):
        return None
    if not _SAID.search(telling_line(episode.failure.error)):
        return None
    problem = f"{code(found.part.program, _LONGEST_CODE)} takes an argument that begins with `-` for an option"
    return Cause(problem, "Put `--` before it, or `-e` before the pattern of a search")
