"""Compares two texts or lists of words: what was removed and added, shortened to what the error names."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from lessons.shell.named import AROUND_WORDS, is_named

Words = tuple[str, ...]

LONGEST_SHOWN = 120  # characters shown
_MOST_WORDS = 120  # between the first and the last difference: comparing takes quadratic time or more
_TOKEN = re.compile(r"[^\s\"'`,;(){}\[\]]+|[(){}\[\]]")
_BRACKETS = frozenset("(){}[]")
_BLANKS = ' "'  # an empty text in single quotes was written that way
_LONG_PREFIX = 30
_LONG_PATH = 60
# Numbers, ids and hashes say which object, not how.
_NUMBER = re.compile(r"[#v-]?\d[\d.:_-]*|(?=\w*\d)[0-9a-f]{7,64}|[0-9a-f]{8}-[0-9a-f-]{27}")


class Block(NamedTuple):
    """The words at one place before, and after."""

    gone: Words
    came: Words


def similarity(before: Words, after: Words) -> float:
    """Returns the share of common words."""
    one, other = set(before), set(after)
    return len(one & other) / len(one | other) if one or other else 1.0


def blocks(before: Words, after: Words) -> list[Block]:
    return [Block(before[i:j], after[k:m]) for i, j, k, m in _places(before, after)]


def _places(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Returns the ranges where the two differ; if they differ much, the rest is one range."""
    first, end, last = 0, len(before), len(after)
    while first < min(end, last) and before[first] == after[first]:
        first += 1
    while min(end, last) > first and before[end - 1] == after[last - 1]:
        end, last = end - 1, last - 1
    if first == end == last:
        return []
    if max(end, last) - first > _MOST_WORDS:
        return [(first, end, first, last)]
    matcher = SequenceMatcher(None, before[first:end], after[first:last], autojunk=False)
    return [
        (first + i, first + j, first + k, first + m) for sort, i, j, k, m in matcher.get_opcodes() if sort != "equal"
    ]


def is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word.strip(AROUND_WORDS)) is not None


def only_numbers(found: Sequence[Block]) -> bool:
    """Whether each place only has another number or id: the same about another object."""
    return all(block.gone and block.came and all(map(is_number, (*block.gone, *block.came))) for block in found)


def told(found: list[Block], *errors: str) -> list[Block]:
    """Returns the places that an error mentions, reduced to what it names; else the first replacement."""
    for said in errors:
        named = [block for block in (_reduced(block, said) for block in found) if block]
        if named:
            return named
    return [block for block in found if block.gone and block.came][:1] or found


def _reduced(block: Block, said: str) -> Block | None:
    gone = tuple(word for word in block.gone if is_named(word, said))
    if gone:
        return Block(_with_option(gone, block), block.came)
    came = tuple(word for word in block.came if is_named(word, said))
    if came and any(word.startswith("-") for word in block.came):
        return Block((), block.came)  # an option and its values stay together
    return Block((), came) if came else None


def _with_option(gone: Words, block: Block) -> Words:
    """Returns the one named value with its option, if an option replaces both."""
    place = block.gone.index(gone[0])
    has_option = place > 0 and block.gone[place - 1].startswith("-") and not gone[0].startswith("-")
    if len(gone) > 1 or not has_option or not block.came or not block.came[0].startswith("-"):
        return gone
    return block.gone[place - 1 : place + 1]


def inside(before: str, after: str, said: str) -> tuple[str, str]:
    """Returns where two long texts differ: one place, the one that the error mentions or the first."""
    old, new = list(_TOKEN.finditer(before)), list(_TOKEN.finditer(after))
    places: list[tuple[bool, bool, int, tuple[int, int, int, int]]] = []
    for i, j, k, m in _places([one[0] for one in old], [one[0] for one in new]):
        words = [one[0] for one in (*old[i:j], *new[k:m])]
        if all(word in _BRACKETS for word in words):
            continue
        names = sum(is_named(word[0], said) for word in old[i:j])
        places.append((names > 0, not all(map(is_number, words)), -len(places), (i, j, k, m)))
    if not places:
        return "", ""
    i, j, k, m = max(places)[3]
    return _span(before, old[i:j]), _span(after, new[k:m])


def _span(text: str, tokens: list[re.Match[str]]) -> str:
    """Returns the text of the tokens, without unbalanced brackets at its ends."""
    opened = sum((one[0] in "([{") - (one[0] in ")]}") for one in tokens)
    while opened < 0 and tokens[-1][0] in ")]}":
        tokens, opened = tokens[:-1], opened + 1
    while opened > 0 and tokens[-1][0] in "([{":
        tokens, opened = tokens[:-1], opened - 1
    while opened > 0 and tokens[0][0] in "([{":
        tokens, opened = tokens[1:], opened - 1
    return _with_quotes(text, tokens[0].start(), tokens[-1].end()) if tokens else ""


def _with_quotes(text: str, start: int, end: int) -> str:
    """Extends the range by a quote at an end whose other half is inside."""
    for quote in "\"'`":
        if text.count(quote, start, end) % 2:
            if text[end : end + 1] == quote:
                end += 1
            elif text[start - 1 : start] == quote:
                start -= 1
    return text[start:end]


def shown(words: Sequence[str]) -> str:
    """Joins words to one text without the punctuation around each word, cut at the end of a word."""
    text = " ".join(
        filter(
            None, (word if len(word.split()) > 1 else word.strip(AROUND_WORDS) or word.strip(_BLANKS) for word in words)
        )
    )
    return shortened(text)


def paths_apart(before: str, after: str) -> tuple[str, str]:
    """Shortens two long paths to where they differ."""
    if max(len(before), len(after)) < _LONG_PATH:
        return before, after
    shared = 0
    while (end := before.find("/", shared)) >= 0 and before[: end + 1] == after[: end + 1]:
        shared = end + 1
    if shared < _LONG_PREFIX:
        return before, after
    start = before.rfind("/", 0, shared - 1)
    return f"…{before[start:]}", f"…{after[start:]}"


def shortened(text: str) -> str:
    text = " ".join(text[: 4 * LONGEST_SHOWN].split())
    if len(text) <= LONGEST_SHOWN:
        return text
    start = text[: LONGEST_SHOWN - 1]
    return (start.rpartition(" ")[0] or start) + "…"
