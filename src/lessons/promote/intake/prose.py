"""Whether a pattern is a description in plain words."""

import re

# `ping`, `string` and `king` have no vowel before the ending: they are no verbs in their -ing form.
_GERUND = re.compile(r"[a-z]*[aeiou][a-z]*ing")
# Words alone: what begins with a hyphen is a flag, and a description has none.
_WORDS = re.compile(r"[A-Za-z][a-z']*[,:]?(?: [`'\"]?[A-Za-z0-9/.][\w'./-]*[`'\"]?[,:;]?)*\.?")
# Programs that end so, and are run with words behind them.
_PROGRAMS = frozenset({"arping", "hyping", "oping", "noping"})
_ANCHORS = re.compile(r"^(?:\^|\(\?i\))+|\\b|\$$")


def is_prose(pattern: str) -> bool:
    """`running the tests` says what somebody does; `pytest -q` is a command that can be met."""
    plain = re.sub(r"\\s[+*]?|\s+", " ", _ANCHORS.sub("", pattern.strip()))
    if not _WORDS.fullmatch(plain):
        return False
    first = plain.split(" ")[0].lower()
    return bool(_GERUND.fullmatch(first)) and first not in _PROGRAMS
