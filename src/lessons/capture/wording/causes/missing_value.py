"""An option lacks the value that it needs."""

import re

from lessons.capture.family import blame_of
from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import code
from lessons.episode import Episode
from lessons.failure.telling_line import telling_line

_LONGEST_CODE = 60
_NEEDS = re.compile(
    r"(?:option|flag|argument) .{0,40}?(?:requires|needs|expects) (?:an?|one) (?:argument|value|parameter)"
    r"|(?:option|flag) (?:requires|needs) an argument",
    re.IGNORECASE,
)


def cause(episode: Episode) -> Cause | None:
    found, line = blame_of(episode.failure), telling_line(episode.failure.error)
    if found is None or found.part.inner or not _NEEDS.search(line):
        return None
    option = next((word for word in found.part.words[1:] if word[:1] == "-" and _is_meant(word, line)), "")
    if not option:
        return None
    problem = f"{code(found.part.program, _LONGEST_CODE)} needs a value behind {code(option, _LONGEST_CODE)}"
    return Cause(problem, f"Give {code(option, _LONGEST_CODE)} its value, or leave it out")


def _is_meant(option: str, line: str) -> bool:
    """Whether the line names the option, with or without dashes, or by its letter, as getopt does."""
    name = re.escape(option.lstrip("-"))
    return re.search(rf"(?<![\w-])-{{0,2}}{name}(?![\w-])", line) is not None if name else False
