"""What an error complains about: unknown options, and texts that it quotes."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

LONGEST_ERROR = 4096
_CARET = re.compile(r"( *)\^+ +(?:[Uu]nknown|[Uu]nrecogni[sz]ed|[Uu]nexpected|[Ii]nvalid)")
_WORD_HERE = re.compile(r"(?<!\S)\S+")
_WITHIN_WORD = re.compile(r"[\w-]")
_COMPLAINT = re.compile(
    r"unknown|unrecogni|unexpected|unsupported|invalid|illegal|ambiguous|bad |must |\bnot?\b|cannot|n't\b|requires"
    r"|ignored|outside|denied|missing|already|refused|could not",
    re.IGNORECASE,
)
_FILES = re.compile(
    r"no such file|not a directory|is a directory|pathspec|did not match any file|paths are ignored|ENOENT"
    r"|cannot find (?:the )?path|file (?:does not|doesn't) exist|(?:file|folder|directory|path) not found"
    r"|untracked working tree files",
    re.IGNORECASE,
)
_OF_A_PROJECT = re.compile(
    r"\b(?:packages?|projects?|crates?|workspaces?|tables?|columns?|relations?|databases?|branch(?:es)?|targets?"
    r"|scripts?|tasks?|schemes?|steps?|revisions?|remotes?|upstream|repositor(?:y|ies)|containers?|networks?|volumes?"
    r"|namespaces?|services?|pods?|releases?|stacks?|profiles?|datasets?|buckets?|workflows?)\b",
    re.IGNORECASE,
)
_SYNTAX = re.compile(
    r"syntax error|error in your SQL syntax|parse error|failed to parse|unexpected token|is not a function"
    r"|not a valid statement|no matches found|event not found|bad substitution|unmatched",
    re.IGNORECASE,
)
_UNKNOWN_PATH = re.compile(
    r"(?:^|[:\]] *)not found \(?HTTP[ /:]*40[45]|\b404:? not found\b|\b405:? method not allowed|no route matches",
    re.IGNORECASE,
)
_LONG_OPTION = re.compile(r"--[A-Za-z][\w-]*")
_SHORT_OPTIONS = re.compile(r"-[A-Za-z]{1,6}")
_GETOPT = re.compile(r"(?:invalid|illegal|unknown|unrecogni[sz]ed) option -- '?([A-Za-z0-9])", re.IGNORECASE)
_OPTION_WORD = r"(?:option|flag|argument|parameter|switch|unrecogni[sz]ed|unknown)\b[^\n]{0,20}?[`'\"‘“ -]"
_USAGE = re.compile(r"^\s*usage: ", re.IGNORECASE | re.MULTILINE)
_DOCUMENTED = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_NEGATABLE = re.compile(r"--\[no-\]")
_FEWEST_DOCUMENTED = 3
_QUOTED = re.compile(r"'([^'\n]{2,120})'|\"([^\"\n]{2,120})\"|`([^`'\n]{2,120})[`']|‘([^’\n]{2,120})’")


def complains_about(word: str, error: str) -> bool:
    """Whether a complaining line of the error has this word as a separate word."""
    if not word:
        return False
    if len(word) == 2 and f"option -- {word[1]}" in error:  # the format of getopt
        return True
    place = error.find(word)
    while place >= 0:
        end = place + len(word)
        line = error[error.rfind("\n", 0, place) + 1 : min(error.find("\n", end) % (len(error) + 1), end + 200)]
        is_part = _WITHIN_WORD.match(error, end) or (place and _WITHIN_WORD.match(error, place - 1))
        if not is_part and _COMPLAINT.search(line):
            return True
        place = error.find(word, end)
    return False


def wrong_options(options: Iterable[str], error: str) -> list[str]:
    """Returns the options that the error calls unknown or wrong; `-A` for `-An` if it names the letter."""
    error = error[:LONGEST_ERROR]
    known = [option for option in dict.fromkeys(options) if option.strip("-")]
    letters = {found[1] for found in _GETOPT.finditer(error)}
    found = [f"-{letter}" for option in known if _SHORT_OPTIONS.fullmatch(option) for letter in option[1:]]
    found = [option for option in found if option[1] in letters]
    found += [option for option in known if option not in found and _is_wrong(option, error)]
    found += [option for option in known if option not in found and option in set(_pointed_at(error))]
    return list(dict.fromkeys(found)) or _not_in_usage(known, error)


def _pointed_at(error: str) -> Iterator[str]:
    """Yields the words of a repeated command that have a caret and a complaint below them."""
    lines = error.split("\n")
    for above, line in pairwise(lines):
        caret = _CARET.match(line)
        if caret and (word := _WORD_HERE.match(above, caret.end(1))):
            yield word[0].partition("=")[0]


def _is_wrong(option: str, error: str) -> bool:
    if complains_about(option, error):
        return True
    name = re.escape(option.lstrip("-"))
    # Not `Unknown JSON field` or `unrecognized type: x`: these are about the value of an option.
    return len(name) > 1 and re.search(rf"{_OPTION_WORD}-*{name}(?![\w-]|:? \w)", error, re.IGNORECASE) is not None


def _not_in_usage(options: list[str], error: str) -> list[str]:
    """Returns the one option missing in a printed usage; if several are missing, it is unclear which is wrong."""
    if not _USAGE.search(error):
        return []
    known = set(_DOCUMENTED.findall(_NEGATABLE.sub("--", error) + " " + _NEGATABLE.sub("--no-", error)))
    missing = [option for option in options if _LONG_OPTION.fullmatch(option) and option not in known]
    return missing if len(missing) == 1 and len(known) >= _FEWEST_DOCUMENTED else []


def complained_texts(error: str) -> Iterator[str]:
    """Yields quoted texts of complaining lines, and the whole lines that such a line announces."""
    announced = False
    for line in error[:LONGEST_ERROR].split("\n"):
        if announced and line.strip():
            yield line.strip().rstrip("/")
        complains = _COMPLAINT.search(line) is not None
        if complains:
            for found in _QUOTED.finditer(line):
                yield next(filter(None, found.groups())).rstrip("/")
        announced = (complains and line.rstrip().endswith(":")) or (announced and line[:1] not in ("", " "))


def is_about_files(line: str) -> bool:
    """Whether a line of an error is about a file or folder, which other projects do not have."""
    return _FILES.search(line) is not None


def is_about_project(word: str, error: str) -> bool:
    """Whether a line with the word is about a file or another project-specific thing, such as a table."""
    lines = [line for line in error[:LONGEST_ERROR].split("\n") if word in line]
    return any(_OF_A_PROJECT.search(line) or is_about_files(line) for line in lines)


def is_about_syntax(line: str) -> bool:
    """Whether a line is about syntax, which is the same in every project."""
    return _SYNTAX.search(line) is not None


def is_about_unknown_path(line: str) -> bool:
    """Whether an API rejects the requested path as unknown; messages about a missing object name that object."""
    return _UNKNOWN_PATH.search(line) is not None
