"""The error names a file or folder of the command, and the call that worked did not use it."""

import re

from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.error import spoken
from lessons.capture.wording.text import code, is_one_off
from lessons.episode import Episode
from lessons.failure.complaint import complained_texts, is_about_files
from lessons.failure.telling_line import telling_line
from lessons.shell.family import family_of
from lessons.shell.line import parts

_IGNORED = re.compile("ignored")  # it exists
_LONGEST_CODE = 80
_LONGEST_ERROR = 110


def cause(episode: Episode) -> Cause | None:
    """Only for a change of arguments: the wrong folder is a separate cause."""
    line = telling_line(episode.failure.error)
    if not is_about_files(line) or episode.change.kind not in ("wrong-arguments", "telling-error"):
        return None
    found = [(part, place) for part in parts(episode.failure.command) if (place := _place(part.words, episode))]
    if not found:
        return None
    part, place = found[0]
    call = f"{family_of(part.words) or part.program} {place}"
    problem = f"{code(call, _LONGEST_CODE)} fails: {spoken(line, _LONGEST_ERROR)}"
    if episode.fix and place not in episode.fix.command:
        if episode.change.after:
            return None  # another one replaced it
        return Cause(problem, f"Leave out {code(place, _LONGEST_CODE)}", True)
    if _IGNORED.search(line):
        return None
    return Cause(problem, f"Check that {code(place, _LONGEST_CODE)} exists from the folder of the call")


def _place(words: list[str], episode: Episode) -> str:
    """Returns the path, or its folder, that the error names; empty if it is specific to one machine or day."""
    named = {text.rstrip("/") for text in complained_texts(episode.failure.error)}
    for word in words[1:]:
        parts = word.strip("'\"").rstrip("/").split("/")
        if word[:1] in "/~-$":
            continue
        for size in range(len(parts), 0, -1):
            if (place := "/".join(parts[:size])) in named and place not in (".", "..", ""):
                return "" if is_one_off(place) else place
    return ""
