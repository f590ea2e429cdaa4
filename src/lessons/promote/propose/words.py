"""Finds the words of a command that say what it does, and writes them as patterns."""

import re
from collections.abc import Collection, Iterable

from lessons.failure.complaint import LONGEST_ERROR, complains_about
from lessons.shell.family import VERBS

_OPTION = re.compile(r"--[A-Za-z][\w-]*|-[A-Za-z][A-Za-z-]{0,20}")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z_]{1,23}(?:[-:][A-Za-z_]{1,23})?")
_SUB_COMMAND = re.compile(r"[a-z][a-z0-9]{1,23}")
_PROGRAM = re.compile(r"[A-Za-z_][\w.+-]{0,40}")
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
_GOES_ON = re.compile(r"[^\w=\s]")
# A command begins here: at the start of the line, or after the end of the previous command.
START = r"(?:^|[;&|(\n] *)"


def option_of(word: str) -> str:
    """Returns `--depth` for `--depth=1`, `-x` for `-x`; empty if the word is not an option, or one with a number."""
    name = word.partition("=")[0]
    return name if name[:1] == "-" and _OPTION.fullmatch(name) else ""


def is_plain(word: str) -> bool:
    """Whether it could be a sub-command or a keyword: not a path, number, hash, name of many parts or quoted text."""
    return _PLAIN.fullmatch(word) is not None


def is_program(word: str) -> bool:
    return _PROGRAM.fullmatch(word) is not None


def literal(text: str) -> str:
    """Returns a pattern that matches only the text, with as few backslashes as possible."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def ending(word: str, others: Iterable[str]) -> str:
    """Returns where the word ends: at a word boundary, or at the next blank if other words continue after one."""
    if not re.match(r"\w", word[-1:]):
        return r"(?!\S)"
    size = len(word)
    longer = any(other.startswith(word) and _GOES_ON.match(other, size) for other in others)
    return r"(?=\s|=|$)" if longer else r"\b"


def head_pattern(words: Collection[str], others: Iterable[str]) -> str:
    """Returns the leading words of a command with one blank between them; an empty word matches any."""
    *first, last = words
    return " ".join([*(literal(word) if word else r"\S+" for word in first), literal(last) + ending(last, others)])


def leading_words(words: list[str]) -> list[str]:
    """Returns the program and the plain words right after it: at most three; `s3` counts if another follows.

    A fourth counts if it says what to do with the things before it: `cloud compute instances list`.
    """
    if not words or not is_program(words[0]):
        return []
    has_number = len(words) > 2 and _SUB_COMMAND.fullmatch(words[1]) is not None and is_plain(words[2])
    end = 2 if has_number else 1
    while end < len(words) and end < 3 and is_plain(words[end]):
        end += 1
    return words[: end + 1] if end == 3 and words[3:4] and words[3] in VERBS else words[:end]


def is_named(word: str, errors: Collection[str]) -> bool:
    """Whether every error complains about this word, in the same line."""
    return bool(errors) and all(complains_about(word, error[:LONGEST_ERROR]) for error in errors)
