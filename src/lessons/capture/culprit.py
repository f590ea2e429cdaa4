"""A failed shell line and its error in, the command of the line that is most likely to blame out."""

import re
from functools import lru_cache
from typing import NamedTuple

from lessons.capture.signals.difference import is_named
from lessons.capture.signals.looks import looks
from lessons.capture.wording.error import telling_of
from lessons.shell.line import Part, parts, working
from lessons.shell.program import program_of

_MOST = 50  # commands of a line
_READ = 4096
# They say their own name with each error: whatever does not begin with it comes from another command.
_SPEAK = frozenset("mkdir rm rmdir cp mv touch ln chmod chown ls cat head tail cd echo printf source export".split())
# Who speaks without a name.
_VOICES = {
    "git": re.compile(r"(?:fatal|hint|remote): |error: pathspec "),
    "npm": re.compile(r"npm (?:error|ERR!)"),
    "pnpm": re.compile(r"\W*ERR_PNPM"),
}
_USAGE = re.compile(r"^\s*usage:\s+(\S+)(?: ([a-z][\w-]+))?", re.IGNORECASE | re.MULTILINE)
_SPOKE, _USED, _OPTION, _MOST_WORDS = 8, 6, 4, 3


class Culprit(NamedTuple):
    part: Part
    is_sure: bool  # it is named or speaks, or there is no other


@lru_cache(maxsize=256)
def culprit(command: str, error: str) -> Culprit | None:
    """Nothing for a line that does no work at all."""
    line = parts(command)
    works = set(working(line)[:_MOST])
    if not works:
        return None
    if len(line) == 1:
        return Culprit(line[0], True)
    said, usage = telling_of(error), _USAGE.search(error[:_READ])
    best, found = (-1, False, False, 0), line[0]
    for index, part in enumerate(line[:_MOST]):
        score = _score(part, said, usage)
        # What stands behind a pipe or `||` depends on the one before it; of all others the last one ended the line.
        depends = index > 0 and line[index - 1].operator in ("|", "||")
        rank = (score, index in works, not depends and not _is_quiet(part), -index if depends else index)
        if rank > best:
            best, found = rank, part
    return Culprit(found, best[0] > 0 or len(works) == 1)


def _is_quiet(part: Part) -> bool:
    return part.program in _SPEAK or looks(part)


def _score(part: Part, said: str, usage: re.Match[str] | None) -> int:
    """By who speaks, whose usage is shown, and the options and words that the error repeats."""
    name = part.program.rpartition("/")[2]
    voice = _VOICES.get(name)
    if said.startswith(f"{name}: ") or (voice and voice.match(said)):
        score = _SPOKE
    elif name in _SPEAK:
        return 0
    else:
        score = 0
    if usage and usage[1] == name:
        score += _USED + (usage[2] is not None and usage[2] == program_of(" ".join(part.words))[1])
    options = {word.partition("=")[0] for word in part.words[1:] if word.startswith("-")}
    score += _OPTION * any(is_named(word, said) or is_named(word.lstrip("-"), said) for word in options)
    return score + min(_MOST_WORDS, sum(is_named(word, said) for word in {*part.words[1:]} - options))
