"""The error names an option that the command does not have."""

import re

from lessons.capture.family import blame_of
from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.causes.other_option import options_of, remedy
from lessons.capture.wording.text import code
from lessons.episode import Episode
from lessons.failure.complaint import wrong_options
from lessons.failure.telling_line import telling_line
from lessons.failure.wrapped import wrapped_as
from lessons.shell.family import VERBS, family_of
from lessons.shell.line import Part, parts

_LONGEST_CODE = 70
# Of the tools that every system has: another one has other options.
_OF_SYSTEM = re.compile(r"(?:illegal|invalid|unrecogni[sz]ed) option -- ")
_OF_VALUE = re.compile(
    r"invalid (?:choice|value)|invalid argument .{1,60} for\b"
    r"|(?:needs|requires|expect(?:s|ed)|takes|allow) (?:an?|one|no|at least one) (?:argument|value)",
    re.IGNORECASE,
)


def cause(episode: Episode) -> Cause | None:
    found = blame_of(episode.failure)
    if found is None or found.part.inner:
        return None
    options = options_of(found.part.words)
    wrong = wrong_options(options, episode.failure.error)
    if len(wrong) != 1 or _OF_VALUE.search(telling_line(episode.failure.error)):
        return None
    family = family_of(found.part.words) or found.part.program
    same = _same_in_fix(episode, family)
    if any(wrong[0] in options_of(part.words) for part in same):
        return None  # the option exists: it was used wrongly
    where = " on this machine" if _OF_SYSTEM.search(episode.failure.error) else ""
    name = _with_verb(family, found.part.words)
    problem = f"{code(name, _LONGEST_CODE)} has no option {code(wrong[0], _LONGEST_CODE)}{where}"
    if wrapped := wrapped_as(found.part.program, episode.failure.error):
        runs = f"{code(found.part.program, _LONGEST_CODE)} runs as {code(wrapped, _LONGEST_CODE)} here"
        problem = f"{runs}, which has no option {code(wrong[0], _LONGEST_CODE)}"
    shown = remedy(episode, found.part, same, wrong[0])
    if shown:
        return Cause(problem, shown, is_proven=True)
    return Cause(problem, f"Leave out {code(wrong[0], _LONGEST_CODE)}; `{name} --help` shows what it has")


def _with_verb(family: str, words: list[str]) -> str:
    """Returns `gcloud compute instances list`: each verb has its own options."""
    has_verb = len(words) > 3 and " ".join(words[:3]) == family and words[3] in VERBS
    return f"{family} {words[3]}" if has_verb else family


def _same_in_fix(episode: Episode, family: str) -> list[Part]:
    """Returns the commands of the call that worked with the same program and sub-command."""
    fixed = parts(episode.fix.command) if episode.fix and episode.fix.command else ()
    return [part for part in fixed if (family_of(part.words) or part.program) == family]
