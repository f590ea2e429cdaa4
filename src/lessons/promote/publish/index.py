"""Makes the bytes of `hook-index`, by which store/hook_index.py finds the few lessons that can fire on a call.

Each lesson is found by grams: two or four bytes that a text must contain for one of its patterns to match.
"""

import _sre  # type: ignore[import-not-found]
import marshal
import re
import sys
from array import array
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from re import _compiler  # type: ignore[attr-defined]
from typing import NamedTuple

from lessons.lesson_fields import FIRING
from lessons.match.call import canonical_name
from lessons.match.dialect import to_python
from lessons.promote.publish.literals import all_literal_sets, tree_of
from lessons.store.hook_index import MAGIC, SEVERAL, SPREAD, checksum, regex_stamp, stamp
from lessons.store.manifest import REGEX_KEYS, tools_of

Entry = dict[str, object]
Keys = dict[str, set[int] | None]
# Every text that a pattern matches contains one literal of each set; the most selective set is the first.
LiteralSets = list[tuple[str, ...]]
# offset, slots, whether there are grams of two bytes, checksum of the whole
Table = tuple[int, int, bool, int]

# The kinds of text a call has, and the patterns for each; `strings` are the arguments of other tools.
_KINDS = {"command": "commandRegexSources", "strings": "commandRegexSources"} | {
    field.looks_at: field.manifest_key for field in FIRING
}
_MOST_SETS = 4
# A build needs the patterns of one lesson several times.
_MOST_REMEMBERED = 32


class Indexed(NamedTuple):
    """A lesson as the index holds it, and how it can be found: by literals in texts of a kind, or by its tools."""

    record: bytes
    pattern_sets: dict[str, list[LiteralSets]]
    tools: tuple[str, ...]
    session_start: bool


def indexed(identifier: str, entry: Entry) -> Indexed:
    """Holds each regex as compiled code of this interpreter."""
    found = _pattern_sets(entry)
    # The few most selective sets by kind of text and pattern: a text needs one of each to be checked.
    needs = {kind: [sets[:_MOST_SETS] for sets in pattern_sets] for kind, pattern_sets in found.items()}
    compiled = {key: value for key, value in entry.items() if key not in ("tags", "literals")}
    for key in REGEX_KEYS:
        if isinstance(items := entry.get(key), list):
            compiled[key] = [_code(item["source"], item["flags"]) for item in items]
    record = marshal.dumps((identifier, needs, marshal.dumps(compiled)))
    is_at_start = entry.get("sessionStart") is True
    return Indexed(record, found, () if found or is_at_start else tools_of(entry), is_at_start)


def literals_of(entry: Entry) -> list[str] | None:
    """Returns strings of which one occurs in every call that the lesson fires on; None if there are none such."""
    chosen: set[str] = set()
    for pattern_sets in _pattern_sets(entry).values():
        for sets in pattern_sets:
            if not sets:
                return None
            chosen.update(sets[0])
    return sorted(chosen) or None


def _code(source: str, flags: str) -> tuple[object, ...]:
    """Returns the arguments from which `_sre` creates the pattern; checked against the result of `re`."""
    python_source, bits = to_python(source, flags)
    expected = re.compile(python_source, bits)
    parsed = tree_of(python_source, bits)
    # The compiler's named constants are an int subclass that cannot be stored.
    code = [int(word) for word in _compiler._code(parsed, bits)]
    names = dict(parsed.state.groupdict)
    groups: list[str | None] = [None] * parsed.state.groups
    for name, number in names.items():
        groups[number] = name
    stored = (python_source, int(bits | parsed.state.flags), code, parsed.state.groups - 1, names, tuple(groups))
    if _sre.compile(*stored) != expected:
        raise AssertionError(f"the code stored for {python_source!r} is not what re makes of it")
    return stored


def _pattern_sets(entry: Entry) -> dict[str, list[LiteralSets]]:
    """Returns by kind of text, for each pattern, the sets of literals."""
    found: dict[str, list[LiteralSets]] = {}
    for kind, key in _KINDS.items():
        sources = entry.get(key)
        if not isinstance(sources, list) or not sources:
            continue
        if kind == "strings" and all(canonical_name(name) == "Bash" for name in tools_of(entry)):
            continue
        if kind == "path" and entry.get("contentRegexSources"):
            continue  # path patterns only restrict the content patterns beside them
        found[kind] = [_sets_of(item["source"], item["flags"]) for item in sources]
    return found


@lru_cache(maxsize=_MOST_REMEMBERED)
def _sets_of(source: str, flags: str) -> LiteralSets:
    # The index marks an empty slot with a gram of zeros: such literals cannot be looked up.
    sets = all_literal_sets(*to_python(source, flags))
    return [each for each in sets if all(_grams(literal) for literal in each)]


def _grams(literal: str) -> list[int]:
    data = literal.encode("utf-8", "surrogatepass")
    size = 4 if len(data) >= 4 else 2
    grams = [int.from_bytes(data[at : at + size], sys.byteorder) for at in range(len(data) - size + 1)]
    return [gram for gram in grams if gram]


def keys_of(lessons: Sequence[Indexed]) -> list[Keys]:
    """Returns by kind of text the rarest sufficient grams of each lesson, or None if it must always be checked."""
    frequency: Counter[int] = Counter()  # how many lessons each gram could find
    for lesson in lessons:
        for pattern_sets in lesson.pattern_sets.values():
            for sets in pattern_sets:
                for literal in {literal for each in sets for literal in each}:
                    frequency.update(set(_grams(literal)))
    found: list[Keys] = []
    for lesson in lessons:
        keys: Keys = {}
        for kind, pattern_sets in lesson.pattern_sets.items():
            chosen = [min(_rarest(each, frequency) for each in sets) for sets in pattern_sets if sets]
            is_complete = len(chosen) == len(pattern_sets)
            keys[kind] = {gram for _, _, grams in chosen for gram in grams} if is_complete else None
        found.append(keys)
    return found


def _rarest(literals: tuple[str, ...], frequency: Counter[int]) -> tuple[int, int, list[int]]:
    """Returns the cost of an any-of set of literals, and one gram for each of them."""
    chosen = {min(_grams(literal), key=lambda gram: (gram < 65536, frequency[gram], gram)) for literal in literals}
    pairs = sum(gram < 65536 for gram in chosen)
    return pairs, sum(frequency[gram] for gram in chosen), sorted(chosen)


def pack(
    manifest: tuple[int, int],
    config: dict[str, object],
    lessons: Sequence[Indexed],
    sources: tuple[tuple[int, int], ...] = (),
) -> bytes:
    """Returns the whole index; a lesson's number is its position."""
    grams: dict[str, dict[int, list[int]]] = {}
    always: dict[str, list[int]] = {}
    tools: dict[str, list[int]] = {}
    for number, (lesson, keys) in enumerate(zip(lessons, keys_of(lessons), strict=True)):
        for kind, chosen in keys.items():
            if chosen is None:
                always.setdefault(kind, []).append(number)
            for gram in sorted(chosen or ()):
                grams.setdefault(kind, {}).setdefault(gram, []).append(number)
        for name in lesson.tools:
            tools.setdefault(name, []).append(number)
    several: list[bytes] = []  # lists of lessons that share a gram; records too, after those of the lessons
    body = bytearray()
    tables: dict[str, Table] = {}
    for kind, by_gram in grams.items():
        slots, data = _table(by_gram, len(lessons), several)
        tables[kind] = (len(body), slots, any(gram < 65536 for gram in by_gram), checksum(data))
        body += data
    records = [*(lesson.record for lesson in lessons), *several]
    directory, start = array("I"), len(body)
    for record in records:
        directory.extend((start, len(record), checksum(record)))
        start += len(record)
    head = marshal.dumps(
        {
            "stamp": stamp(),
            "regexes": regex_stamp(),
            "manifest": manifest,
            "sources": sources,
            "config": config,
            "tables": tables,
            "always": always,
            "tools": tools,
            "directory": start,
            "sessionStart": [number for number, lesson in enumerate(lessons) if lesson.session_start],
            "bodyLength": start + len(directory.tobytes()),
            "lessons": len(lessons),
        }
    )
    lengths = len(head).to_bytes(8, "little") + checksum(head).to_bytes(8, "little")
    return b"".join([MAGIC, lengths, head, body, *records, directory.tobytes()])


def _table(by_gram: dict[int, list[int]], first: int, several: list[bytes]) -> tuple[int, bytes]:
    """Builds slots of three words (gram, value, check); lists of several lessons become records from `first` on."""
    # Half of the slots stay empty, so that a missing gram is detected after a step or two.
    slots = 2 * len(by_gram) + 1
    words = array("I", (0, 0, 1)) * slots
    for gram, numbers in sorted(by_gram.items()):
        value = numbers[0]
        if len(numbers) > 1:
            value = SEVERAL + first + len(several)
            several.append(marshal.dumps(numbers))
        slot = 3 * (gram * SPREAD % slots)
        while words[slot]:
            slot = (slot + 3) % (3 * slots)
        # An empty slot is 0, 0, 1.
        words[slot], words[slot + 1], words[slot + 2] = gram, value, (gram * 31 + value * 17 + 1) & 0xFFFFFFFF
    return slots, words.tobytes()
