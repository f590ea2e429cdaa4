"""Output that is sent into a folder that does not exist."""

import re

from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import code
from lessons.episode import Episode
from lessons.failure.telling_line import telling_line

_LONGEST = 70
_NO_FILE = re.compile(
    r"(?:no such file or directory: (?P<last>[\w.@+/-]{3,120})|(?P<first>[\w.@+/-]{3,120}): No such file or directory)$"
)


def cause(episode: Episode) -> Cause | None:
    said = _NO_FILE.search(telling_line(episode.failure.error))
    path = (said["last"] or said["first"]) if said else ""
    folder = path.rpartition("/")[0]
    if not folder or not re.search(rf">\s*{re.escape(path)}(?!\S)", episode.failure.command):
        return None
    shown = code(folder, _LONGEST)
    return Cause(f"`>` makes no folder, and {shown} is not there", f"Make it first: `mkdir -p {folder[:_LONGEST]}`")
