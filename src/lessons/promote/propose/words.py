"""The words of a command that say what it does, and how a pattern spells them."""

import re
from collections.abc import Collection, Iterable

from lessons.failure.complaint import LONGEST_ERROR, complains_about

_OPTION = re.compile(r"--[A-Za-z][\w-]*|-[A-Za-z][A-Za-z-]{0,20}")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z_]{1,23}(?:[-:][A-Za-z_]{1,23})?")
_SUB_COMMAND = re.compile(r"[a-z][a-z0-9]{1,23}")
_PROGRAM = re.compile(r"[A-Za-z_][\w.+-]{0,40}")
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
_GOES_ON = re.compile(r"[^\w=\s]")
# A command begins here: at the start of the line, or behind what ends the command before it.
START = r"(?:^|[;&|(\n] *)"


def option_of(word: str) -> str:
    """`--depth` of `--depth=1`, `-x` of `-x`; empty if the word is no option, or one with a number."""
    name = word.partition("=")[0]
    return name if name[:1] == "-" and _OPTION.fullmatch(name) else ""


def is_plain(word: str) -> bool:
    """Whether it could be a sub-command or a keyword: no path, number, hash, name of many parts or quoted text."""
    return _PLAIN.fullmatch(word) is not None


def is_program(word: str) -> bool:
    return _PROGRAM.fullmatch(word) is not None


def literal(text: str) -> str:
    """The text as a pattern that matches nothing else, with no more backslashes than it needs."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def ending(word: str, others: Iterable[str]) -> str:
    """Where the word ends: at a word boundary, or at the next blank where others go on behind such a boundary."""
    if not re.match(r"\w", word[-1:]):
        return r"(?!\S)"
    size = len(word)
    longer = any(other.startswith(word) and _GOES_ON.match(other, size) for other in others)
    return r"(?=\s|=|$)" if longer else r"\b"


def head_pattern(words: Collection[str], others: Iterable[str]) -> str:
    """The leading words of a command, one blank between them; an empty word stands for any."""
    *first, last = words
    return " ".join([*(literal(word) if word else r"\S+" for word in first), literal(last) + ending(last, others)])


def leading_words(words: list[str]) -> list[str]:
    """The program and the plain words right behind it: at most three; `s3` is one where another follows."""
    if not words or not is_program(words[0]):
        return []
    has_number = len(words) > 2 and _SUB_COMMAND.fullmatch(words[1]) is not None and is_plain(words[2])
    end = 2 if has_number else 1
    while end < len(words) and end < 3 and is_plain(words[end]):
        end += 1
    return words[:end]


def is_named(word: str, errors: Collection[str]) -> bool:
    """Whether every error complains about this word, in the same line."""
    return bool(errors) and all(complains_about(word, error[:LONGEST_ERROR]) for error in errors)
