"""Texts for calls of several kinds that failed in the wrong folder."""

from collections.abc import Sequence

import msgspec

from lessons.capture.family import family
from lessons.capture.wording.text import code
from lessons.capture.wording.wording import Words, words
from lessons.episode import Episode

_SHOWN = 3
_ROOT = '`cd "$(git rev-parse --show-toplevel)" && …`'
_NAME = 40


def in_wrong_folders(group: Sequence[Episode]) -> Words | None:
    """Returns None if all are about one command and one folder: then these can be named."""
    names = sorted({family(episode.failure) for episode in group})
    if len(names) == 1 and len({episode.change.after for episode in group}) == 1:
        return None
    shown = ", ".join(code(name, _NAME) for name in names[:_SHOWN])
    more = " and others" if len(names) > _SHOWN else ""
    fixed = f"the same calls worked then ({len(group)} of {len(group)} times)"
    return msgspec.structs.replace(
        words(group, None),
        summary="The shell stays in the folder of an earlier `cd`: begin the line with `cd` to the right one",
        problem=f"{shown}{more} failed in the wrong folder: the shell stays where an earlier `cd` has left it",
        solution=f"Begin the line with `cd` to the folder that the call is meant for, such as {_ROOT}: {fixed}.",
    )
