"""Finds whether another program did what the first could not."""

from lessons.capture.signals.content import around
from lessons.capture.signals.difference import Words, blocks, shortened, similarity
from lessons.capture.signals.pair import Command, Pair
from lessons.episode import Change, Step

_SHARED = 0.5
_LONGEST_HEAD = 4  # words of a program with its sub-command and options


def change(pair: Pair) -> Change | None:
    """Detects `python x.py` → `python3 x.py`: another program, the same words after it."""
    before, after = pair.before.words, pair.after.words
    if not before or not after or before[0] == after[0]:
        return None
    missing = pair.kind == "missing-tool" and pair.blamed == pair.before.program
    if not _alike(before, after, missing):
        return None
    gone, came = _heads(before, after)
    old, new = _written(pair.failure, pair.before, gone), _written(pair.fix, pair.after, came)
    return Change("missing-tool" if missing else "wrong-command", old, new)


def _alike(before: Words, after: Words, missing: bool) -> bool:
    if len(before) == 1 and len(after) == 1:
        return before[0].rstrip("0123456789.") == after[0].rstrip("0123456789.")
    if missing:  # the other one has its own options
        mine, others = ({word for word in words[1:] if word[:1] != "-"} for words in (before, after))
        return len(mine & others) * 2 >= len(mine) > 0
    return similarity(before[1:], after[1:]) >= _SHARED


def _heads(before: Words, after: Words) -> tuple[Words, Words]:
    """Returns what comes before the first common word: `docker-compose` and `docker compose`."""
    first = blocks(before, after)[0]
    short = len(first.gone) <= _LONGEST_HEAD and 0 < len(first.came) <= _LONGEST_HEAD
    return (first.gone, first.came) if short and first.gone else (before[:1], after[:1])


def _written(step: Step, command: Command, head: Words) -> str:
    return shortened(around(step.command, command.words) + " ".join(head))
