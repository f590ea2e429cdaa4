"""Whether a failed call tries out a program that was just built: that it complains is what was asked."""

import re
from collections.abc import Sequence

from lessons.capture.family import blame_of
from lessons.episode import Step

_LOOK_BACK = 40  # calls
_TEMPORARY = re.compile(r"(?:/private)?/(?:tmp|var/folders)/|\$\{?TMPDIR|%TEMP%")
_BUILDS = re.compile(r"\b(?:build|make|compile|install|link|gcc|cc|clang|rustc|javac|tsc)\b")


def is_under_test(thread: Sequence[Step], place: int) -> bool:
    step = thread[place]
    found = blame_of(step) if "/" in step.command else None
    program = found.part.words[0] if found and found.part.words else ""
    if "/" not in program:
        return False
    if _TEMPORARY.match(program):
        return True
    name = program.rpartition("/")[2]
    before = thread[max(0, place - _LOOK_BACK) : place]
    return any(_BUILDS.search(other.command) and name in other.command for other in before if other.outcome == "ok")
