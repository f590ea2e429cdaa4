"""The error names an option that the command does not have."""

from lessons.capture.family import blame_of
from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import code
from lessons.episode import Episode
from lessons.failure.complaint import complains_about, wrong_options
from lessons.shell.family import family_of
from lessons.shell.line import parts

_LONGEST = 70


def cause(episode: Episode) -> Cause | None:
    found = blame_of(episode.failure)
    if found is None or found.part.inner:
        return None
    options = _options(found.part.words)
    wrong = wrong_options(options, episode.failure.error)
    if len(wrong) != 1:
        return None
    family = family_of(found.part.words) or found.part.program
    problem = f"{code(family, _LONGEST)} has no option {code(wrong[0], _LONGEST)} here"
    other = _replacement(episode, family, options)
    if other:
        return Cause(problem, f"Use {code(other, _LONGEST)} instead of {code(wrong[0], _LONGEST)}", True)
    if episode.fix is None:
        return Cause(problem, f"Leave out {code(wrong[0], _LONGEST)}; `{family} --help` shows what it has")
    return Cause(problem, f"Leave out {code(wrong[0], _LONGEST)}", True)


def _replacement(episode: Episode, family: str, options: list[str]) -> str:
    """The one option that the same command had instead, or that the error proposes; a path plays another role."""
    fixed = parts(episode.fix.command) if episode.fix and episode.fix.command else ()
    for part in fixed:
        if family_of(part.words) == family:
            new = [option for option in _options(part.words) if option not in options]
            told = [option for option in new if complains_about(option, episode.failure.error)]
            return next((chosen[0] for chosen in (new, told) if len(chosen) == 1), "")
    return ""


def _options(words: list[str]) -> list[str]:
    return [word.partition("=")[0] for word in words[1:] if word[:1] == "-" and len(word) > 1]
