"""Finds the same words with another one in between, or with one of them as an option."""

from lessons.capture.signals.difference import Words
from lessons.capture.signals.pair import Pair
from lessons.episode import Change
from lessons.shell.named import is_named

_MOST_NEW_WORDS = 2
_LONGEST_HEAD = 6


def change(pair: Pair) -> Change | None:
    """Detects `lamp run list` → `lamp run rooms list`, and `lamp dim on a` → `lamp on --dim a`."""
    before, after = pair.before.words, pair.after.words
    if pair.kind is None or not before or not after or before[0] != after[0]:
        return None
    if pair.folder != pair.fixed_folder or pair.before.folders != pair.after.folders:
        return None  # it may exist in the other folder
    gone, came = _without(before, after), _without(after, before)
    if not any(is_named(word, pair.said) for word in gone or before[1:]):
        return None
    is_option = len(gone) == len(came) == 1 and came[0] == f"--{gone[0]}"
    if not is_option and (gone or not _are_few(came) or _without(after, came) != before):
        return None
    return _heads(before, after)


def _without(words: Words, others: Words) -> Words:
    return tuple(word for word in words if word not in others)


def _are_few(words: Words) -> bool:
    """Whether it is one word, or two that are not options: with more, the call does something else."""
    is_one = len(words) == 1
    return is_one or (0 < len(words) <= _MOST_NEW_WORDS and not any(word.startswith("-") for word in words))


def _heads(before: Words, after: Words) -> Change | None:
    """Returns both up to the last difference; the next word too, if that is where the new one was put."""
    same = 0
    while same < min(len(before), len(after)) - 1 and before[-1 - same] == after[-1 - same]:
        same += 1
    one, other = len(before) - same, len(after) - same
    if before[:one] == after[:one]:
        one, other = one + 1, other + 1
    if max(one, other) > _LONGEST_HEAD:
        return None
    return Change("wrong-command", " ".join(before[:one]), " ".join(after[:other]))
