"""Whether two words only name different objects of the same kind, by the error."""

import re
from difflib import SequenceMatcher

from lessons.capture.signals.difference import Block

_NOT_THERE = re.compile(
    r"\bnot found\b|notfound|\bno such\b|\bno (?:module|package|container|image|service|resource) named\b"
    r"|\b(?:does not|doesn't|do not) exist|\b(?:cannot|can't|could not|couldn't|unable to) (?:find|locate)\b|\b404\b"
    r"|\bdid not match any\b|\bis not there\b",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"\d+")
_MAIN_BRANCHES = frozenset(("main", "master", "trunk", "develop"))  # they replace each other
_ALIKE = 0.5
_COMPARED = 80  # characters of a name


def is_another_object(block: Block, said: str) -> bool:
    """Whether the fix only uses another object (`api` for a missing `web`), not a corrected name that looks alike."""
    if len(block.gone) != 1 or len(block.came) != 1 or not _NOT_THERE.search(said):
        return False
    (gone,), (came,) = block
    return not gone.startswith("-") and not came.startswith("-") and not _is_mistaken(gone, came)


def _is_mistaken(gone: str, came: str) -> bool:
    one, other = _apart(gone.lower().split("/"), came.lower().split("/"))
    if not one or not other or {one, other} <= _MAIN_BRANCHES:
        return True
    if _NUMBERS.sub("", one) == _NUMBERS.sub("", other):
        return False  # the first, the second
    return SequenceMatcher(None, one[:_COMPARED], other[:_COMPARED]).ratio() >= _ALIKE


def _apart(one: list[str], other: list[str]) -> tuple[str, str]:
    """Returns two paths without their common folders and ending."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    if one and other and one[-1] == other[-1]:
        return "", ""  # the same name in another folder
    first, last = "/".join(one), "/".join(other)
    stem, dot, ending = first.rpartition(".")
    if dot and stem and last.endswith(dot + ending):
        return stem, last[: -len(dot + ending)]
    return first, last
