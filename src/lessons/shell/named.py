"""Decides whether an error mentions a word of the command."""

import re

AROUND_WORDS = " \t\n\"'`,;"  # quotes and punctuation around a quoted word
_MOST_PLACES = 10  # places of an error that are checked for one name
_SHORTEST_NAME = 3
_SIGN = re.compile(r"-\w|[^\w\s]{2}")  # `-x`, `!=`
_JOINS = frozenset("-_")  # they join two words into a longer one


def is_named(word: str, text: str) -> bool:
    """Whether the error has this word as a separate word."""
    name = word.strip(AROUND_WORDS)
    if len(name) < _SHORTEST_NAME and not _SIGN.fullmatch(name):
        return False
    place = text.find(name)
    for _ in range(_MOST_PLACES):
        if place < 0:
            break
        end = place + len(name)
        if not _continues(text[place - 1 : place]) and not _goes_on(text[end : end + 2], name[-1]):
            return True
        place = text.find(name, end)
    return False


def _continues(char: str) -> bool:
    return char.isalnum() or char in _JOINS


def _goes_on(following: str, last: str) -> bool:
    """Whether this is only the start of a longer word such as `lint-fix`, `a.txt`, `folder/file`."""
    if last == "/":
        return following[:1] not in ("", " ", "'", '"', "`", ":", ",", ";", ")")
    return _continues(following[:1]) or (following[:1] == "." and following[1:].isalnum())
