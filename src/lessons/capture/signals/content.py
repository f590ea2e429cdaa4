"""The words of a command in a shell line, with the text inside their quotes."""

from functools import lru_cache
from typing import TYPE_CHECKING

from lessons.capture.signals.difference import Words
from lessons.shell.commands import Command
from lessons.shell.line import LONGEST_LINE
from lessons.shell.script import Script
from lessons.shell.split import invocations

if TYPE_CHECKING:
    from lessons.shell.commands import Payload

BLANKED = '""'  # replaces a quoted text with white space, and an empty one
EMPTY = "''"


@lru_cache(maxsize=64)
def _read(script: str) -> list[tuple[list[str], list[str]]]:
    found: list[Payload] = []
    Script(script, 0, len(script), found).read()
    return [(one.words, one.contents) for one in found if isinstance(one, Command)]


def contents(command: str, words: Words) -> Words:
    """Returns the words unchanged if the command is not found in the line, as in a script of another shell."""
    if BLANKED not in " ".join(words):
        return words
    for shown, content in _read(command[:LONGEST_LINE]):
        kept = unredirected(shown)[-len(words) :]
        if len(kept) == len(words) and tuple(shown[place] for place in kept[1:]) == words[1:]:
            return (words[0], *(content[place] or EMPTY for place in kept[1:]))
    return words


def unredirected(words: list[str]) -> list[int]:
    """Returns the indexes of the words that belong to the command itself."""
    kept = []
    target = False  # whether this word is the file of the redirection before it
    for place, word in enumerate(words):
        sign = word.lstrip("0123456789&")
        redirects = sign[:1] in ("<", ">") and not sign.startswith(("<(", ">("))
        if not redirects and not target:
            kept.append(place)
        target = redirects and sign.strip("<>-|") == ""
    return kept


@lru_cache(maxsize=64)
def _written(script: str) -> list[list[str]]:
    return [[texts[0], texts[-1]] for texts in invocations(script)]


def around(command: str, words: Words) -> str:
    """Returns what comes before the command: wrappers, assignments, the folder of the program."""
    # The line as written has redirections: the first words are enough to find the place.
    for core in (" ".join(words), " ".join(words[:2])):
        for written, bare in _written(command[:LONGEST_LINE]):
            if bare == core or bare.startswith(core + " "):
                return written[: len(written) - len(bare)]
    return ""
