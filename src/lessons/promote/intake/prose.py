"""Detects patterns that are descriptions in plain words."""

import re

# `ping`, `string` and `king` have no vowel before the ending: they are not verbs in their -ing form.
_GERUND = re.compile(r"[a-z]*[aeiou][a-z]*ing")
# Words only: anything with a leading hyphen is a flag, and a description has none.
_WORDS = re.compile(r"[A-Za-z][a-z']*[,:]?(?: [`'\"]?[A-Za-z0-9/.][\w'./-]*[`'\"]?[,:;]?)*\.?")
# Programs with this ending that are run with words after them.
_PROGRAMS = frozenset({"arping", "hyping", "oping", "noping"})
_ANCHORS = re.compile(r"^(?:\^|\(\?i\))+|\\b|\$$")


def is_prose(pattern: str) -> bool:
    """Whether it is a description: `running the tests` says what somebody does; `pytest -q` is a real command."""
    plain = re.sub(r"\\s[+*]?|\s+", " ", _ANCHORS.sub("", pattern.strip()))
    if not _WORDS.fullmatch(plain):
        return False
    first = plain.split(" ")[0].lower()
    return bool(_GERUND.fullmatch(first)) and first not in _PROGRAMS
