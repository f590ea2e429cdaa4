"""Tries regexes on hostile texts, to leave out those that would often cost the hook its time limit.

The texts repeat what the regex itself repeats. What evades them is still interrupted where it runs: by the deadline of
the hook, and by match/time_limit.py elsewhere.
"""

import re
import time
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any

from lessons.match.time_limit import LIMIT_SECONDS, TooSlow, can_interrupt, time_limit
from lessons.promote.publish.literals import name_of, parts_of, tree_of

_FEW_TIMES = 4  # a repetition of fewer times cannot make a search noticeably slower
_LONG_TEXT, _LONGEST_SAMPLE = 1_000, 200
_MOST_TEXTS = 60
# Without a timer nothing ends a search: texts grow so slowly that even exponential time is noticed early.
_LENGTHS_WITHOUT_TIMER = (*range(8, 200, 4), 200, _LONG_TEXT)
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_FAVOURITES = "a0 -_/.=:,;\"'\\\n\t!Aé"
# No name, no blank line and no end of text goes on after it, so what was matched before is tried again and again.
_STOPPER = "!\n\n\0"
_EVERYDAY = ("a", " ", "/", "a ", "a.b ", "\n")


@lru_cache(maxsize=10_000)
def find_danger(source: str, flags: int) -> str | None:
    """Returns None if the regex stays fast on hostile texts, else the kind of text on which it does not."""
    compiled = re.compile(source, flags)
    try:
        tree = tree_of(source, flags)
        almost = filter(None, dict.fromkeys(sample(tree, variant)[:-1] for variant in (0, 1)))
        found = dict.fromkeys(shape for text in almost for shape in (("", text, ""), (text, "!", "")))
        found |= dict.fromkeys([*_repeated(tree, ""), *(("", pump, "!") for pump in _EVERYDAY)])
    except RecursionError:
        return "It is nested too deeply to be tried out."
    with time_limit() as limit:
        for head, pump, tail in islice(found, _MOST_TEXTS):
            for length in (200, _LONG_TEXT) if can_interrupt() else _LENGTHS_WITHOUT_TIMER:
                text = head + pump * max(_FEW_TIMES, (length - len(head)) // len(pump)) + tail
                began = time.thread_time()
                try:
                    limit.run(compiled.search, text)
                    is_slow = time.thread_time() - began > LIMIT_SECONDS
                except TooSlow:
                    is_slow = True
                if is_slow:
                    return (
                        f"It takes more than {LIMIT_SECONDS * 1000:.0f} ms on a text with {pump[:40]!r} over and over."
                    )
    return None


def _inside(name: str, argument: Any) -> list[Any]:
    """Returns the sequences that a part is made of."""
    match name:
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return [argument[2]]
        case "SUBPATTERN":
            return [argument[3]]
        case "BRANCH":
            return list(argument[1])
        case "ASSERT" | "ASSERT_NOT":
            return [argument[1]]
        case "ATOMIC_GROUP":
            return [argument]
    return [inner for inner in argument[1:] if inner is not None] if name == "GROUPREF_EXISTS" else []


def _repeated(items: Any, head: str) -> Iterator[tuple[str, str, str]]:
    """Yields texts that repeat the body of each long repetition, after a text that leads there."""
    for item in parts_of(items):
        name, argument = name_of(item[0]), item[1]
        if name in _REPEATS and argument[1] >= _FEW_TIMES:
            ending = sample(argument[2], 1)[-1:] * 2
            for pump in filter(None, dict.fromkeys(sample(argument[2], variant) for variant in range(6))):
                yield from ((head, pump, tail) for tail in (_STOPPER, "", ending))
        for inner in _inside(name, argument):
            yield from _repeated(inner, head)
        head = (head + sample([item], 0))[-_LONGEST_SAMPLE:]


def sample(items: Any, variant: int) -> str:
    """Returns a text that the items match, nearly always; the variant decides at every choice."""
    text = ""
    for position, (operation, argument) in enumerate(parts_of(items)):
        name = name_of(operation)
        if name == "LITERAL":
            text += chr(argument)
        elif name in _REPEATS:
            # Variant 0: as few as possible, 1: everything once, the others: every second optional part.
            wanted = (0, 1, position % 2, (position + 1) % 2, 0, 1)[variant]
            times = min(max(int(argument[0]), wanted), _LONGEST_SAMPLE)
            text += (sample(argument[2], variant) * times)[:_LONGEST_SAMPLE]
        elif name == "ANY":
            text += _FAVOURITES[variant % 3]
        elif name in ("NOT_LITERAL", "IN"):
            one = _compiler.compile(_parser.SubPattern(_parser.State(), [(operation, argument)]))
            fitting = [char for char in _FAVOURITES if one.match(char)][:3] or ["a"]
            text += fitting[variant % len(fitting)]
        elif name in ("BRANCH", "SUBPATTERN", "ATOMIC_GROUP"):
            choices = _inside(name, argument)
            text += sample(choices[variant % len(choices)], variant)
    return text[:_LONGEST_SAMPLE]
