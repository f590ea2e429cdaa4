"""Finds sets of literal strings: every text that a regex matches contains at least one of each set."""

from functools import lru_cache
from itertools import product
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from lessons.match.call import fold

# A lesson is compiled in one go: its few patterns are enough.
_MOST_TREES = 32


@lru_cache(maxsize=_MOST_TREES)
def tree_of(source: str, flags: int) -> Any:
    """Must not be changed; raises `re.error` and RecursionError as `re` does."""
    return _parser.parse(source, flags)


def name_of(operation: Any) -> str:
    """The name of an operation in such a tree: `str` of it is the same, several times slower."""
    name: str = operation if isinstance(operation, str) else operation.name
    return name


def parts_of(items: Any) -> list[Any]:
    """The parts of a sequence in such a tree, as a list: the parser's own class hands them out one by one, slowly."""
    parts: list[Any] = items.data if isinstance(items, _parser.SubPattern) else items
    return parts


_MOST_ALTERNATIVES = 16
_MOST_CHARACTERS_OF_A_CLASS = 4
_LONGEST_LITERAL = 64
_SHORTEST_LITERAL = 2
# A build needs the patterns of one lesson several times.
_MOST_REMEMBERED = 32

Strings = frozenset[str]
EMPTY: Strings = frozenset({""})


class Found(NamedTuple):
    """What is known of a part of a regex.

    exact: every folded text that the part can match, or None if there are too many.
    needed: sets; every text around a match of the part contains a member of each.
    """

    exact: Strings | None
    needed: list[Strings]


UNKNOWN = Found(None, [])
NOTHING = Found(EMPTY, [])


@lru_cache(maxsize=_MOST_REMEMBERED)
def all_literal_sets(source: str, flags: int) -> list[tuple[str, ...]]:
    """Returns every usable set, most selective first, so that a caller can choose by what is rare in its texts.

    A text is searched only if its folded form contains one of a set, so a wrong set would silence a lesson. The caller
    must not change the result.
    """
    try:
        found = _sequence(tree_of(source, flags))
    except RecursionError:
        return []
    usable = {_shortened(strings) for strings in _all_needed(found)}
    return sorted((literals for literals in usable if literals), key=lambda one: (_expected_hits(one), one))


class Beginnings(NamedTuple):
    """The folded texts that every match begins with; `are_whole` if a match is nothing longer."""

    texts: Strings
    are_whole: bool


def beginnings(source: str, flags: int) -> Beginnings:
    """Returns one empty text if nothing is known."""
    texts = EMPTY
    for operation, argument in parts_of(tree_of(source, flags)):
        found, tail = _part(name_of(operation), argument)
        longer = _crossed(texts, found.exact)
        if longer is None or tail is not None:
            return Beginnings(texts if longer is None else longer, False)
        texts = longer
    return Beginnings(texts, True)


def _expected_hits(literals: tuple[str, ...]) -> float:
    """Estimates how often one of them occurs by chance: each further character makes it four times rarer."""
    return sum(4.0 ** -len(literal) for literal in literals)


def _shortened(strings: Strings) -> tuple[str, ...]:
    """Drops those that contain another one; returns nothing if one is too short or there are too many."""
    kept: list[str] = []
    for string in sorted(strings, key=lambda one: (len(one), one)):
        if len(string) < _SHORTEST_LITERAL:
            return ()
        if not any(other in string for other in kept):
            kept.append(string)
    return tuple(sorted(kept)) if len(kept) <= _MOST_ALTERNATIVES else ()


def _all_needed(found: Found) -> list[Strings]:
    return found.needed if found.exact is None else [*found.needed, found.exact]


def _sequence(items: Any) -> Found:
    """Joins consecutive parts: the texts of neighbours are concatenated as far as they are known."""
    needed: list[Strings] = []
    joined, plain, whole = EMPTY, "", True
    for operation, argument in parts_of(items):
        name = name_of(operation)
        found, tail = _part(name, argument)
        needed += found.needed
        crossed = _crossed(joined, found.exact)
        if crossed is None:
            needed += [joined, frozenset({plain})]
            joined, plain, whole = found.exact or EMPTY, "", False
        elif found.exact is not None and len(found.exact) == 1:
            joined, plain = crossed, plain + next(iter(found.exact))
        else:
            # The runs on both sides may be more selective than their combinations.
            needed += [joined, frozenset({plain})]
            joined, plain = crossed, ""
        if tail is not None:
            needed += [joined, frozenset({plain})]
            joined, plain, whole = tail, next(iter(tail)) if len(tail) == 1 else "", False
    needed.append(frozenset({plain}))
    return Found(joined, needed) if whole else Found(None, [*needed, joined])


def _crossed(left: Strings, right: Strings | None) -> Strings | None:
    """Returns every string of one followed by every string of the other, if known and not too many."""
    if right is None or len(left) * len(right) > _MOST_ALTERNATIVES:
        return None
    strings = frozenset(first + second for first, second in product(left, right))
    return strings if all(len(string) <= _LONGEST_LITERAL for string in strings) else None


def _part(operation: str, argument: Any) -> tuple[Found, Strings | None]:
    """Returns what is known of one part; if it may repeat further, also the strings that it ends with."""
    if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _repeat(*argument)
    return _single(operation, argument), None


def _single(operation: str, argument: Any) -> Found:
    match operation:
        case "LITERAL":
            return _characters([argument])
        case "IN":
            return _class(argument)
        case "SUBPATTERN":
            return _sequence(argument[3])
        case "ATOMIC_GROUP":
            return _sequence(argument)
        case "BRANCH":
            return _branch([_sequence(items) for items in argument[1]])
        case "ASSERT":
            return Found(EMPTY, _all_needed(_sequence(argument[1])))
        case "ASSERT_NOT" | "AT":
            return NOTHING
    return UNKNOWN


def _characters(numbers: list[int]) -> Found:
    characters = [chr(number) for number in numbers]
    return Found(frozenset(map(fold, characters)), []) if all(map(_is_comparable, characters)) else UNKNOWN


def _is_comparable(char: str) -> bool:
    """Whether folding turns everything that the regex accepts for this character into the folded character.

    That holds with and without IGNORECASE, so inline flags need no special handling.
    """
    return char.isascii() or char == char.lower() == char.upper() == char.casefold() == fold(char)


def _class(members: list[tuple[Any, Any]]) -> Found:
    numbers: list[int] = []
    for operation, argument in members:
        if name_of(operation) == "LITERAL":
            numbers.append(argument)
        elif name_of(operation) == "RANGE" and argument[1] - argument[0] < 2 * _MOST_CHARACTERS_OF_A_CLASS:
            numbers += range(argument[0], argument[1] + 1)
        else:
            return UNKNOWN
    found = _characters(numbers)
    return found if found.exact and len(found.exact) <= _MOST_CHARACTERS_OF_A_CLASS else UNKNOWN


def _branch(branches: list[Found]) -> Found:
    """Returns the union of what each alternative needs."""
    exact = [branch.exact for branch in branches if branch.exact is not None]
    if len(exact) == len(branches):
        union = frozenset().union(*exact)
        if len(union) <= _MOST_ALTERNATIVES:
            return Found(union, [])
    chosen: set[str] = set()
    for branch in branches:
        usable = [literals for literals in map(_shortened, _all_needed(branch)) if literals]
        if not usable:
            return UNKNOWN
        best = min(usable, key=_expected_hits)
        chosen.update(best)
    return Found(None, [frozenset(chosen)])


def _repeat(least: int, most: int, items: Any) -> tuple[Found, Strings | None]:
    found = _sequence(items)
    if least == 0:
        optional = Found(found.exact | EMPTY, []) if most == 1 and found.exact is not None else UNKNOWN
        return optional, None
    if found.exact is None:
        return found, None
    times: Strings = EMPTY
    for _ in range(least if found.exact != EMPTY else 0):
        longer = _crossed(times, found.exact)
        if longer is None:
            # As many as are known: they end the run before the repetition and start the run after it.
            return Found(times, found.needed), times
        times = longer
    return Found(times, found.needed), (None if least == most else times)
