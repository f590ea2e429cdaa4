"""Everything that has a program and a text in, groups of those that tell the same mistake out, in a stable order."""

import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import TypeVar

_Item = TypeVar("_Item")
_WORD = re.compile(r"(?<![<\w])[^\W\d_]{2,}(?![>\w])")
ALIKE = 0.6
_FEW_WORDS = 3


def words_of(signature: str) -> frozenset[str]:
    """What is left of a text without its placeholders, numbers and signs."""
    return frozenset(word.lower() for word in _WORD.findall(signature))


def fingerprint(prefix: str, *texts: str) -> str:
    return prefix + blake2b("\0".join(texts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0


def grouped(
    items: Iterable[_Item],
    key: Callable[[_Item], tuple[str, str]],
    words: Callable[[str], frozenset[str]] = words_of,
    alike: float = ALIKE,
) -> list[tuple[tuple[str, str], list[_Item]]]:
    """Each item joins the first group of its program whose text is the same or much alike, or begins one.

    The items come in the order of their times, so that what was found first gives a group its name for good.
    """
    groups: dict[tuple[str, str], list[_Item]] = {}
    leaders: dict[str, list[tuple[frozenset[str], tuple[str, str]]]] = {}
    known: dict[tuple[str, str], tuple[str, str]] = {}
    for item in items:
        own = key(item)
        if own not in known:
            known[own] = _leader(leaders.setdefault(own[0], []), own, words(own[1]), alike)
            groups.setdefault(known[own], [])
        groups[known[own]].append(item)
    return list(groups.items())


def _leader(
    leaders: list[tuple[frozenset[str], tuple[str, str]]], own: tuple[str, str], said: frozenset[str], alike: float
) -> tuple[str, str]:
    best = max(leaders, key=lambda leader: jaccard(leader[0], said), default=None)
    few = len(said) < _FEW_WORDS
    if best and jaccard(best[0], said) >= (1.0 if few else alike) and (said or not own[1]):
        return best[1]
    leaders.append((said, own))
    return own


def most_common(values: Sequence[str]) -> str:
    """Of several as frequent the first in the alphabet."""
    return min(set(values), key=lambda value: (-values.count(value), value))
