"""Finds what memory says by its name, to silence it or to make a lesson of it."""

import re
from typing import NamedTuple

from lessons.candidate import FAILURE
from lessons.errors import NotFound, Refused
from lessons.inject.notes import memory_name
from lessons.mistakes.recall import Failure, failures_in
from lessons.paths import memory_index_file
from lessons.promote.candidate import Candidate
from lessons.promote.decide import selected
from lessons.store import decisions
from lessons.store.history.history import History
from lessons.store.memory_index import MemoryIndex, UnusableMemory

_PREFIX = "memory-"
_FEWEST_CHARACTERS = len(_PREFIX) + 4
_LONGEST_SUMMARY = 80


class Memory(NamedTuple):
    """A remembered mistake and its name."""

    name: str
    failure: Failure

    def document(self) -> dict[str, object]:
        """Returns a lesson about it for want of a candidate: it acts at the error, where memory knows it helps."""
        failure = self.failure
        fix = f"This worked: `{failure.worked}`." if failure.worked else failure.said
        pattern = r"\S+".join(re.escape(part) for part in re.split(r"<\w+>|…", failure.signature) if part.strip())
        return {
            "summary": f"{failure.command} fails: {failure.error}"[:_LONGEST_SUMMARY],
            "problem": f"`{failure.command}` failed {failure.count} times with: {failure.error}",
            "solution": fix or f"Do not repeat `{failure.command}` unchanged.",
            "triggers": {"errorPatterns": [pattern or re.escape(failure.error)]},
        }


def remembered(home: str, name: str) -> Memory:
    """Returns the one remembered mistake with this name, or with a name that begins like it."""
    wanted = name if is_name(name) else f"{_PREFIX}{name}"
    try:
        found = {memory_name(each.key): each for each in failures_in(MemoryIndex(memory_index_file(home)))}
    except UnusableMemory:
        raise NotFound("Nothing is remembered yet: run `lessons scan`.") from None
    names = [
        each for each in found if each == wanted or (len(wanted) >= _FEWEST_CHARACTERS and each.startswith(wanted))
    ]
    if not names:
        raise NotFound(f'No memory is named "{name}": `lessons log` and `lessons try COMMAND` show the names.')
    if len(names) > 1:
        raise NotFound(f'{len(names)} memories begin with "{name}": give more of the name.')
    return Memory(names[0], found[names[0]])


def candidates_of(home: str, memory: Memory) -> list[Candidate]:
    """Returns the candidate about the remembered mistake, followed by its near duplicates; empty if there is none.

    Refused if it was decided before.
    """
    call = memory.failure.identifiers[0]
    with History.for_reading(home) as history:
        found = [name for name, calls in history.candidates.evidence(FAILURE, [call]).items() if call in calls]
    for each in decisions.standing(decisions.read(home)):
        if each.fingerprint in found:
            done = f"is the lesson {each.slug} already" if each.slug else "was rejected as a candidate"
            raise Refused(f"{memory.name} {done}: run `lessons undo {each.id}` to undo that.")
    return selected(home, found)[0] if found else []


def is_name(text: str) -> bool:
    """Whether it looks like the name of a memory."""
    return text.startswith(_PREFIX)
