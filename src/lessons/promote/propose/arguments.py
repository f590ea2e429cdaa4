"""Finds patterns for the hosts and folders that the arguments of failing calls share."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from lessons.promote.propose.judge import Case
from lessons.promote.propose.words import literal

_MOST_ARGUMENTS = 6
_URL = re.compile(
    r"(?:[a-z]+://)?(?:[\w.-]+@)?((?:[\w-]+\.)+[A-Za-z][\w-]*(?::\d+)?|localhost(?::\d+)?|[\d.]{7,15}(?::\d+)?)(?=[/:?]|$)"
)
_ADDRESS = re.compile(r"[a-z]+://|[\w.-]+@[\w.-]+(?::|$)")
_FOLDER = re.compile(r"[\w.~@+-]+(?:/[\w.@+-]+)*|(?:/[\w.@+-]+)+")
_SHORTEST_FOLDER = 3
_HOMES = ("Users", "home", "root")


def arguments_in(tails: list[list[str]], case: Case) -> list[tuple[str, str]]:
    """Returns patterns for one argument, each with a text that it needs, widest first."""
    if case.distinct == 1 and not case.fixes:
        return []
    counts: Counter[tuple[str, str]] = Counter()
    for tail in tails:
        counts.update(list(dict.fromkeys(_of_words(tail, case.distinct > 1))))
    return [found for found, number in counts.items() if case.enough(number)][:_MOST_ARGUMENTS]


def _of_words(words: Iterable[str], folders: bool) -> Iterator[tuple[str, str]]:
    for word in words:
        host = host_of(word)
        if host:
            yield rf"\S*{literal(host)}(?![\w.-])", host
        elif folders and "/" in word and "://" not in word:
            for folder in folders_of(word):
                yield literal(folder) + "/", folder + "/"


def host_of(word: str) -> str:
    """Returns the host of a URL or of `user@host`."""
    if not _ADDRESS.match(word):
        return ""
    found = _URL.match(word)
    return found[1] if found else ""


def folders_of(word: str) -> list[str]:
    """Returns every folder above a path, widest first; for an absolute path at least two levels deep."""
    above = word.rpartition("/")[0]
    if not _FOLDER.fullmatch(above):
        return []
    parts = above.split("/")
    if parts[0] == "~" or (parts[0] == "" and parts[1] in _HOMES):
        return []  # where one person stores files says nothing about the call
    least = 3 if parts[0] == "" else 1
    folders = ["/".join(parts[:size]) for size in range(least, len(parts) + 1)]
    return [folder for folder in folders if len(folder) >= _SHORTEST_FOLDER and folder != ".."]
