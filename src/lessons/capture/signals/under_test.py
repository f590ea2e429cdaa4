"""Whether a failed call tests a program that was just built: then its errors are expected."""

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
    name = found.part.program.rpartition("/")[2] if found else ""
    written = re.search(rf"\S*/{re.escape(name)}(?=\s|$)", step.command) if name else None
    if written is None:
        return False
    if _TEMPORARY.match(written[0]):
        return True
    before = thread[max(0, place - _LOOK_BACK) : place]
    return any(_builds(other, name) for other in before if other.outcome == "ok")


def _builds(step: Step, name: str) -> bool:
    """Whether it builds the program, not by the program itself: `./gradlew build` is a use of it."""
    return step.program != name and name in step.command and _BUILDS.search(step.command) is not None
