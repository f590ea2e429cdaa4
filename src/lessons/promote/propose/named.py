"""Finds the words of a failed command that its error complains about, and patterns for them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from lessons.failure.complaint import complained_texts, is_about_project, wrong_options
from lessons.promote.propose.words import is_named, is_plain, literal

_MOST_WORDS = 40
_MOST_QUOTED = 12
_PATH = re.compile(r"(?!.*(?:\$|\*|://|[a-f0-9]{7,}|\d{4,}))[\w.@+-]+(?:/[\w.@+-]+)+/?")
_ALL_BELOW = "/..."  # understood by few programs of a toolchain
_ENDING = re.compile(r"\.[A-Za-z]\w{0,5}$")  # of a file, which the program does not accept
_IDENTIFIER = re.compile(r"(?<![\w$/.-])[A-Za-z_]\w{2,40}(?![\w/-])")


class Named(NamedTuple):
    """A word of a command that an error is about, and its pattern."""

    word: str  # every text that the pattern matches contains it
    pattern: str  # without its end, if it ends in a whole word
    is_word: bool = True
    is_local: bool = False  # it names a place in one project


def named_options(words: Sequence[str], error: str) -> list[Named]:
    """Returns the options that do not exist or are wrong, according to the error."""
    options = [word.partition("=")[0] for word in words[1:_MOST_WORDS] if word[:1] == "-"]
    return [_option(option, f"option -- {option[1:]}" in error) for option in wrong_options(options, error)]


def _option(option: str, is_letter: bool) -> Named:
    """Finds a letter of several (`-An`) among others too."""
    if is_letter:
        return Named(option[1], rf"-[A-Za-z]*{option[1]}", is_word=False)
    return Named(option, literal(option))


def named_words(words: Sequence[str], error: str) -> list[Named]:
    """Returns arguments that the error quotes: keywords, and paths or their folders."""
    arguments = [word for word in dict.fromkeys(words[1:_MOST_WORDS]) if word[:1] != "-"]
    plain = [word for word in arguments if is_plain(word) and is_named(word, [error])]
    found = [Named(word, literal(word), is_local=is_about_project(word, error)) for word in plain]
    values = dict.fromkeys(value for word in arguments if "=" in word and is_plain(value := word.rpartition("=")[2]))
    found += [Named(value, rf"\S+={literal(value)}") for value in values if is_named(value, [error])]
    quoted = set(complained_texts(error))
    endings = dict.fromkeys(ending[0] for word in arguments if (ending := _ENDING.search(word)) and ending[0] in quoted)
    found += [Named(ending, rf"\S+{literal(ending)}") for ending in endings]
    if any(word.endswith(_ALL_BELOW) and word in error for word in arguments):
        found.append(Named(_ALL_BELOW, rf"\S*{literal(_ALL_BELOW)}", is_word=False))
    for word in arguments:
        found += [_place(text) for text in _above(word) if text in quoted or is_named(text, [error])][:1]
    return list(dict.fromkeys(found))


def _above(word: str) -> list[str]:
    """Returns a relative path, and each folder above it."""
    if not _PATH.fullmatch(word) or word[:1] in "/~":
        return []
    parts = word.rstrip("/").split("/")
    return ["/".join(parts[:size]) for size in range(len(parts), 0, -1)]


def _place(text: str) -> Named:
    return Named(text, rf"(?:\./)?{literal(text)}(?=[/\s]|$)", is_word=False, is_local=True)


def quoted_names(command: str, error: str) -> list[str]:
    """Returns identifiers in the text of a call that its error quotes in a complaint."""
    quoted = {name for text in complained_texts(error) for name in _IDENTIFIER.findall(text)}
    return [name for name in dict.fromkeys(_IDENTIFIER.findall(command)) if name in quoted][:_MOST_QUOTED]
