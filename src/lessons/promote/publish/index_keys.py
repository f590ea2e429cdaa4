"""Chooses the grams by which the hook index finds each entry of the manifest."""

import marshal
import sys
from functools import lru_cache
from typing import NamedTuple

from lessons.lesson_fields import FIRING
from lessons.match.dialect import to_python
from lessons.match.tools import canonical_name
from lessons.promote.publish.literals import all_literal_sets
from lessons.store.published import tools_of

Entry = dict[str, object]
Keys = dict[str, set[int] | None]
LiteralSets = list[tuple[str, ...]]

# The kinds of text a call has, and the patterns for each; `strings` are the arguments of other tools.
_KINDS = {"command": "commandRegexSources", "strings": "commandRegexSources"} | {
    field.looks_at: field.manifest_key for field in FIRING
}

_MOST_SETS = 4
# A build needs the patterns of one lesson several times.
_MOST_REMEMBERED = 32


def literals_of(entry: Entry) -> list[str] | None:
    """Returns strings of which one occurs in every call that the lesson fires on; None if there are none such."""
    chosen: set[str] = set()
    for pattern_sets in _pattern_sets(entry).values():
        for sets in pattern_sets:
            if not sets:
                return None
            chosen.update(sets[0])  # the most selective one
    return sorted(chosen) or None


def needs_of(entry: Entry) -> dict[str, list[LiteralSets]]:
    """Returns the few most selective sets by kind of text and pattern: a text needs one of each to be checked."""
    return {kind: [sets[:_MOST_SETS] for sets in pattern_sets] for kind, pattern_sets in _pattern_sets(entry).items()}


class Ways(NamedTuple):
    """How the index can find a lesson: by literals in texts of a kind, or by its tools."""

    pattern_sets: dict[str, list[LiteralSets]]
    tools: tuple[str, ...]

    def to_bytes(self) -> bytes:
        """Compact, because a full build stores those of all lessons until every gram is counted."""
        return marshal.dumps(tuple(self))

    @classmethod
    def from_bytes(cls, data: bytes) -> "Ways":
        return cls(*marshal.loads(data))


def ways_of(entry: Entry) -> Ways:
    found = _pattern_sets(entry)
    return Ways(found, () if found or entry.get("sessionStart") is True else tools_of(entry))


def keys_of(entries: list[Entry]) -> list[Keys]:
    """Returns for each entry and kind of text the rarest sufficient grams, or None if it must always be checked."""
    frequency: dict[int, int] = {}
    ways = [ways_of(entry) for entry in entries]
    for each in ways:
        count_grams(each, frequency)
    return [keys_among(each, frequency) for each in ways]


def count_grams(ways: Ways, frequency: dict[int, int]) -> None:
    """Counts the grams by which a lesson could be found."""
    for pattern_sets in ways.pattern_sets.values():
        for sets in pattern_sets:
            for literal in {literal for each in sets for literal in each}:
                for gram in set(_grams(literal)):
                    frequency[gram] = frequency.get(gram, 0) + 1


def keys_among(ways: Ways, frequency: dict[int, int]) -> Keys:
    """Returns the keys of a lesson among others whose grams were counted."""
    keys: Keys = {}
    for kind, pattern_sets in ways.pattern_sets.items():
        grams: set[int] = set()
        for sets in pattern_sets:
            if not sets:
                keys[kind] = None
                break
            grams |= min((_rarest(each, frequency) for each in sets), key=lambda pair: pair[0])[1]
        else:
            keys[kind] = grams
    keys.update({f"tool:{name}": None for name in ways.tools})
    return keys


def _rarest(literals: tuple[str, ...], frequency: dict[int, int]) -> tuple[tuple[int, int], set[int]]:
    """Returns the cost of an any-of set of literals, and one gram for each of them."""
    chosen = {
        min(_grams(literal), key=lambda gram: (gram < 65536, frequency.get(gram, 0), gram)) for literal in literals
    }
    pairs = sum(gram < 65536 for gram in chosen)
    return (pairs, sum(frequency.get(gram, 0) for gram in chosen)), chosen


def _grams(literal: str) -> list[int]:
    data = literal.encode("utf-8", "surrogatepass")
    size = 4 if len(data) >= 4 else 2
    grams = [int.from_bytes(data[at : at + size], sys.byteorder) for at in range(len(data) - size + 1)]
    return [gram for gram in grams if gram]


def _pattern_sets(entry: Entry) -> dict[str, list[LiteralSets]]:
    """Returns by kind of text, for each pattern, the sets of literals; each match contains one of each set."""
    found: dict[str, list[LiteralSets]] = {}
    for kind, key in _KINDS.items():
        sources = entry.get(key)
        if not isinstance(sources, list) or not sources:
            continue
        if kind == "strings" and not _names_another_tool(entry):
            continue
        if kind == "path" and entry.get("contentRegexSources"):
            continue  # path patterns only restrict the content patterns beside them
        found[kind] = [_sets(item) for item in sources]
    return found


def _sets(item: object) -> LiteralSets:
    assert isinstance(item, dict)
    return _sets_of(item["source"], item["flags"])


@lru_cache(maxsize=_MOST_REMEMBERED)
def _sets_of(source: str, flags: str) -> LiteralSets:
    # The index marks an empty slot with a gram of zeros: such literals cannot be looked up.
    sets = all_literal_sets(*to_python(source, flags))
    return [each for each in sets if all(_grams(literal) for literal in each)]


def _names_another_tool(entry: Entry) -> bool:
    return any(canonical_name(name) != "Bash" for name in tools_of(entry))
