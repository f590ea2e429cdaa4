"""Finds what memory says by its name, for verbs that silence it or make a lesson of it."""

import re
from typing import NamedTuple

from lessons.errors import NotFound
from lessons.hook_paths import memory_index_file
from lessons.inject.recall_words import memory_name
from lessons.mistakes.recall import Failure, failures_in
from lessons.store.memory_index import MemoryIndex, UnusableMemory

_FEWEST_CHARACTERS = 11  # `memory-` and four of its digits
_LONGEST_SUMMARY = 80


class Memory(NamedTuple):
    """A remembered mistake and its name."""

    name: str
    failure: Failure

    def document(self) -> dict[str, object]:
        """Returns a lesson about it: it acts at the error, where memory knows that it helps."""
        failure = self.failure
        fix = f"This worked: `{failure.worked}`." if failure.worked else failure.said
        pattern = r"\S+".join(re.escape(part) for part in re.split(r"<\w+>|…", failure.general[2]) if part.strip())
        return {
            "summary": f"{failure.command} fails: {failure.error}"[:_LONGEST_SUMMARY],
            "problem": f"`{failure.command}` failed {failure.count} times with: {failure.error}",
            "solution": fix or f"Do not repeat `{failure.command}` unchanged.",
            "triggers": {"errorPatterns": [pattern or re.escape(failure.error)]},
        }


def remembered(home: str, name: str) -> Memory:
    """Returns the one remembered mistake with this name, or with a name that begins like it."""
    wanted = name if name.startswith("memory-") else f"memory-{name}"
    try:
        found = {memory_name(each.key): each for each in failures_in(MemoryIndex(memory_index_file(home)))}
    except UnusableMemory:
        raise NotFound("Nothing is remembered yet: run `lessons scan`.") from None
    names = [
        each for each in found if each == wanted or (len(wanted) >= _FEWEST_CHARACTERS and each.startswith(wanted))
    ]
    if len(names) != 1:
        raise NotFound(
            f"{'No' if not names else 'More than one'} memory is named {wanted!r}: `lessons log` lists them."
        )
    return Memory(names[0], found[names[0]])
