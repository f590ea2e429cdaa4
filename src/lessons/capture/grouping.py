"""Groups items with a program and a text by the mistake they are about, in a stable order."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from math import ceil
from typing import TypeVar

_Item = TypeVar("_Item")
_Text = TypeVar("_Text", bound=str)
_WORD = re.compile(r"(?<![<\w])[^\W\d_]{2,}(?![>\w])")
ALIKE = 0.6
_FEW_WORDS = 3

Key = tuple[str, str]  # a program, and what was said


def words_of(signature: str) -> frozenset[str]:
    """Returns the words of a text without placeholders, numbers and signs."""
    return frozenset(word.lower() for word in _WORD.findall(signature))


def fingerprint(prefix: str, *texts: str) -> str:
    return prefix + blake2b("\0".join(texts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0


def grouped(
    items: Iterable[_Item],
    key: Callable[[_Item], Key],
    words: Callable[[str], frozenset[str]] = words_of,
    alike: float = ALIKE,
) -> list[tuple[Key, list[_Item]]]:
    """Adds each item to the group of its program with the same or most similar text, or starts a new group.

    The first item of a group names it; the first is the same whatever was read first.
    """
    groups: dict[Key, list[_Item]] = {}
    leaders: dict[str, _Leaders] = {}
    known: dict[Key, Key] = {}
    for item in items:
        own = key(item)
        if own not in known:
            known[own] = leaders.setdefault(own[0], _Leaders(alike)).of(own, words(own[1]))
        groups.setdefault(known[own], []).append(item)
    return list(groups.items())


class _Leaders:
    """The groups of one program, indexed by words of which two similar texts must share one."""

    def __init__(self, alike: float) -> None:
        self.alike = alike
        self.groups: list[tuple[frozenset[str], Key]] = []
        self.by_word: dict[str, list[int]] = {}

    def of(self, own: Key, said: frozenset[str]) -> Key:
        least = 1.0 if len(said) < _FEW_WORDS else self.alike
        telling = self._telling(said)
        places = sorted({place for word in telling for place in self.by_word.get(word, ())})
        best = max(places, key=lambda place: jaccard(self.groups[place][0], said), default=None)
        if best is not None and said and jaccard(self.groups[best][0], said) >= least:
            return self.groups[best][1]
        for word in telling:
            self.by_word.setdefault(word, []).append(len(self.groups))
        self.groups.append((said, own))
        return own

    def _telling(self, said: frozenset[str]) -> list[str]:
        """Returns words in a fixed order, of which two similar texts share one; long words first, because they are
        rare.
        """
        ordered = sorted(said, key=lambda word: (-len(word), word))
        return ordered[: len(said) - ceil(self.alike * len(said)) + 1]


def most_common(values: Sequence[_Text]) -> _Text:
    """Returns the most frequent value; the first in the alphabet if several are."""
    return min(Counter(values).items(), key=lambda item: (-item[1], item[0]))[0]
