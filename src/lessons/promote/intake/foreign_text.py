"""Finds characters in a lesson from outside that a reader would not see."""

import unicodedata
from collections.abc import Iterator

from lessons.plain import FIRST_UNWRITTEN, HIDDEN

# Control, format, private use, unassigned, surrogate, line and paragraph separators.
_KINDS = ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp")
# Emoji use them to select a colour; they never reach an agent.
_SELECTORS = "\ufe0e\ufe0f"
_MOST_NAMED = 5


def hidden_problems(document: dict[str, object]) -> Iterator[str]:
    """Yields a sentence for each such character, with its field; checks the names of fields too."""
    found = dict.fromkeys((field, sign) for field, text in _texts(document) for sign in text if _is_hidden(sign))
    for field, sign in list(found)[:_MOST_NAMED]:
        yield f"{_plain(field)} has {_name(sign)}, a hidden or unassigned character: remove it."
    if len(found) > _MOST_NAMED:
        yield f"There are {len(found) - _MOST_NAMED:,} more such characters: remove them."


def _texts(value: object, field: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield field, value.replace("\r\n", "\n")
    elif isinstance(value, dict):
        for key, member in value.items():
            place = f"{field}.{key}" if field else str(key)
            yield place, str(key)
            yield from _texts(member, place)
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member, field)


def _is_hidden(sign: str) -> bool:
    if sign in "\n\t" or sign in _SELECTORS:
        return False
    return ord(sign) in HIDDEN or sign >= FIRST_UNWRITTEN or unicodedata.category(sign) in _KINDS


def _name(sign: str) -> str:
    return f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".rstrip()


def _plain(field: str) -> str:
    return "".join("?" if _is_hidden(sign) else sign for sign in field)
