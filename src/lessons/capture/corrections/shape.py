"""A row of the table of shapes in, a shape that can be looked for in a sentence out."""

import re
from functools import cache
from typing import NamedTuple


class Shape(NamedTuple):
    """One way to say a rule; another language would be more rows of the table."""

    name: str
    cues: tuple[str, ...]  # the sentence holds one of these in lower case, else the pattern is not tried
    pattern: str
    points: int
    generic: bool  # it must speak of things in general; else it tells a fact, which may be the reason of a task
    may_ask: bool  # counts as a question too
    objecting: bool  # counts after "no" and "wait" alone
    of_agent: bool  # about what the agent itself does or where it works, whatever its words

    def find(self, sentence: str) -> re.Match[str] | None:
        """Where the sentence has this shape."""
        return _compiled(self.pattern).search(sentence)


# A scan of a few new lines needs few of the patterns, and compiling all of them takes longer than it does.
@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def shape(
    name: str,
    cues: str,
    pattern: str,
    points: int,
    *,
    generic: bool = True,
    may_ask: bool = False,
    objecting: bool = False,
    of_agent: bool = False,
) -> Shape:
    return Shape(name, tuple(cues.split("|")), pattern, points, generic, may_ask, objecting, of_agent)
