"""Which words of a failed command its error complains about."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lessons.promote.propose.words import COMPLAINT, is_named, is_plain, literal, option_of

_LONGEST_ERROR = 4096
_MOST_WORDS = 40
_MOST_QUOTED = 12
_SHORT_OPTIONS = re.compile(r"-[A-Za-z]{1,6}")
_GETOPT = re.compile(r"(?:invalid|illegal|unknown|unrecogni[sz]ed) option -- '?([A-Za-z0-9])", re.IGNORECASE)
_OPTION_WORD = r"(?:option|flag|argument|parameter|switch|unrecogni[sz]ed|unknown)\b[^\n]{0,20}?[`'\"‘“ -]"
_USAGE = re.compile(r"^\s*usage: ", re.IGNORECASE | re.MULTILINE)
_DOCUMENTED = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_NEGATABLE = re.compile(r"--\[no-\]")
_FEWEST_DOCUMENTED = 3
_QUOTED = re.compile(r"'([^'\n]{2,120})'|\"([^\"\n]{2,120})\"|`([^`'\n]{2,120})[`']|‘([^’\n]{2,120})’")
_PATH = re.compile(r"(?!.*(?:\$|\*|://|[a-f0-9]{7,}|\d{4,}))[\w.@+-]+(?:/[\w.@+-]+)+/?")
_IDENTIFIER = re.compile(r"(?<![\w$/.-])[A-Za-z_]\w{2,40}(?![\w/-])")


class Named(NamedTuple):
    """A word of a command that an error is about, and the pattern that finds it again."""

    word: str  # every text that the pattern matches holds it
    pattern: str  # without its end, where it ends in a whole word
    is_word: bool = True
    is_local: bool = False  # it names a place of one project


def named_options(words: Sequence[str], error: str) -> list[Named]:
    """The options that do not exist or are wrong, as far as the error says so."""
    error = error[:_LONGEST_ERROR]
    options = list(dict.fromkeys(word.partition("=")[0] for word in words[1:_MOST_WORDS] if word[:1] == "-"))
    letters = {found[1] for found in _GETOPT.finditer(error)}
    found = [named for option in options for named in _of_letters(option, letters)]
    found += [_whole(option) for option in options if option_of(option) and _is_complained_about(option, error)]
    return list(dict.fromkeys(found)) or _not_in_usage(options, error)


def _of_letters(option: str, letters: set[str]) -> Iterator[Named]:
    """`-A` of `-An`, where getopt names the letter alone."""
    if _SHORT_OPTIONS.fullmatch(option):
        for letter in option[1:]:
            if letter in letters:
                yield Named(letter, rf"-[A-Za-z]*{letter}", is_word=False)


def _whole(option: str) -> Named:
    return Named(option, literal(option))


def _is_complained_about(option: str, error: str) -> bool:
    if is_named(option, [error]):
        return True
    name = re.escape(option.lstrip("-"))
    return len(name) > 1 and re.search(rf"{_OPTION_WORD}-*{name}(?![\w-])", error, re.IGNORECASE) is not None


def _not_in_usage(options: list[str], error: str) -> list[Named]:
    """The one option that a printed usage does not know; where it knows several no more, nobody can tell."""
    if not _USAGE.search(error):
        return []
    known = set(_DOCUMENTED.findall(_NEGATABLE.sub("--", error) + " " + _NEGATABLE.sub("--no-", error)))
    missing = [option for option in options if option_of(option).startswith("--") and option not in known]
    return [_whole(missing[0])] if len(missing) == 1 and len(known) >= _FEWEST_DOCUMENTED else []


def named_words(words: Sequence[str], error: str) -> list[Named]:
    """Arguments that the error quotes: keywords, and paths or the folders that they are in."""
    error = error[:_LONGEST_ERROR]
    arguments = [word for word in dict.fromkeys(words[1:_MOST_WORDS]) if word[:1] != "-"]
    found = [Named(word, literal(word)) for word in arguments if is_plain(word) and is_named(word, [error])]
    values = dict.fromkeys(value for word in arguments if "=" in word and is_plain(value := word.rpartition("=")[2]))
    found += [Named(value, rf"\S+={literal(value)}") for value in values if is_named(value, [error])]
    quoted = set(complained_texts(error))
    for word in arguments:
        found += [_place(text) for text in _above(word) if text in quoted][:1]
    return list(dict.fromkeys(found))


def _above(word: str) -> list[str]:
    """A relative path, and each folder above it."""
    if not _PATH.fullmatch(word) or word[:1] in "/~":
        return []
    parts = word.rstrip("/").split("/")
    return ["/".join(parts[:size]) for size in range(len(parts), 0, -1)]


def _place(text: str) -> Named:
    return Named(text, rf"(?:\./)?{literal(text)}(?=[/\s]|$)", is_word=False, is_local=True)


def complained_texts(error: str) -> Iterator[str]:
    """Quoted texts of the lines that complain, and the whole lines that such a line announces."""
    announced = False
    for line in error[:_LONGEST_ERROR].split("\n"):
        if announced and line.strip():
            yield line.strip().rstrip("/")
        complains = COMPLAINT.search(line) is not None
        if complains:
            for found in _QUOTED.finditer(line):
                yield next(filter(None, found.groups())).rstrip("/")
        announced = (complains and line.rstrip().endswith(":")) or (announced and line[:1] not in ("", " "))


def quoted_names(command: str, error: str) -> list[str]:
    """Identifiers inside of the text of a call that its error quotes while it complains."""
    quoted = {name for text in complained_texts(error) for name in _IDENTIFIER.findall(text)}
    return [name for name in dict.fromkeys(_IDENTIFIER.findall(command)) if name in quoted][:_MOST_QUOTED]
