"""The error names an option that the command does not have."""

import re

from lessons.capture.family import blame_of
from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import code
from lessons.episode import Episode
from lessons.failure.complaint import complains_about, wrong_options
from lessons.failure.telling_line import telling_line
from lessons.failure.wrapped import wrapped_as
from lessons.shell.family import family_of
from lessons.shell.line import Part, parts

_LONGEST_CODE = 70
_LETTERS = re.compile(r"-[A-Za-z]{2,}")
# Of the tools that every system has: another one has other options.
_OF_SYSTEM = re.compile(r"(?:illegal|invalid|unrecogni[sz]ed) option -- ")
_OF_VALUE = re.compile(
    r"invalid (?:choice|value)"
    r"|(?:needs|requires|expect(?:s|ed)|takes|allow) (?:an?|one|no|at least one) (?:argument|value)",
    re.IGNORECASE,
)


def cause(episode: Episode) -> Cause | None:
    found = blame_of(episode.failure)
    if found is None or found.part.inner:
        return None
    options = _options(found.part.words)
    wrong = wrong_options(options, episode.failure.error)
    if len(wrong) != 1 or _OF_VALUE.search(telling_line(episode.failure.error)):
        return None
    family = family_of(found.part.words) or found.part.program
    if any(wrong[0] in _options(part.words) for part in _same_in_fix(episode, family)):
        return None  # the option exists: it was used wrongly
    where = " on this machine" if _OF_SYSTEM.search(episode.failure.error) else ""
    problem = f"{code(family, _LONGEST_CODE)} has no option {code(wrong[0], _LONGEST_CODE)}{where}"
    if wrapped := wrapped_as(found.part.program, episode.failure.error):
        runs = f"{code(found.part.program, _LONGEST_CODE)} runs as {code(wrapped, _LONGEST_CODE)} here"
        problem = f"{runs}, which has no option {code(wrong[0], _LONGEST_CODE)}"
    other = _replacement(episode, family, options)
    if other:
        return Cause(problem, f"Use {code(other, _LONGEST_CODE)} instead of {code(wrong[0], _LONGEST_CODE)}", True)
    if episode.fix is None:
        return Cause(problem, f"Leave out {code(wrong[0], _LONGEST_CODE)}; `{family} --help` shows what it has")
    return Cause(problem, f"Leave out {code(wrong[0], _LONGEST_CODE)}", True)


def _replacement(episode: Episode, family: str, options: list[str]) -> str:
    """Returns the one option that the same command had instead, or that the error proposes; not a path."""
    for part in _same_in_fix(episode, family):
        new = [option for option in _options(part.words) if option not in options]
        if len(new) == 1 and _LETTERS.fullmatch(new[0]) and (letters := _LETTERS.fullmatch(" ".join(options))):
            new = [f"-{letter}" for letter in new[0][1:] if letter not in letters[0]]  # `-E` of `-oE`, it was `-oP`
        told = [option for option in new if complains_about(option, episode.failure.error)]
        return next((chosen[0] for chosen in (new, told) if len(chosen) == 1), "")
    return ""


def _same_in_fix(episode: Episode, family: str) -> list[Part]:
    """Returns the commands of the call that worked with the same program and sub-command."""
    fixed = parts(episode.fix.command) if episode.fix and episode.fix.command else ()
    return [part for part in fixed if (family_of(part.words) or part.program) == family]


def _options(words: list[str]) -> list[str]:
    return [word.partition("=")[0] for word in words[1:] if word[:1] == "-" and len(word) > 1]
