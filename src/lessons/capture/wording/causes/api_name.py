"""Code in the command line uses a name that the library does not have."""

from lessons.capture.signals.api_name import code_in, still_uses
from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import ELLIPSIS, code, is_one_off
from lessons.episode import Change, Episode, Step
from lessons.failure.api_error import ApiError, api_error, library_error, named_error
from lessons.shell.split import scripts_in

_LONGEST_CODE = 100


def cause(episode: Episode) -> Cause | None:
    failure, fix, change = episode.failure, episode.fix, episode.change
    if api_error(failure.error) is None:
        return None
    scripts = scripts_in(failure.command)
    found = named_error(failure.error, scripts, failure.cwd)
    if found is None:
        return None
    if fix is not None:
        if change.kind != "wrong-arguments" or still_uses(found, code_in(failure.command), code_in(fix.command)):
            return None  # something else helped: a file of the project may hide the library
        if change.before and _is_in(change.before, failure) and _is_in(change.after, fix):
            return Cause(_problem(found), _remedy(found, change), True)
    if library_error(failure.error, scripts, failure.cwd) is None:
        return None
    return Cause(_problem(found), "No replacement was seen: look the name up in the library")


def _remedy(found: ApiError, change: Change) -> str:
    before, after = change.before.strip("= "), change.after.strip("= ")
    if is_one_off(after):
        return f"Leave out {code(found.name, _LONGEST_CODE)}"
    if not after:
        return f"Leave out {code(before, _LONGEST_CODE)}"
    return f"Use {code(after, _LONGEST_CODE)} instead of {code(before, _LONGEST_CODE)}"


def _is_in(text: str, step: Step) -> bool:
    """Whether it is of the code without literals."""
    return text.removesuffix(ELLIPSIS) in " ".join(code_in(step.command).split())


def _problem(found: ApiError) -> str:
    name, owner = code(found.name, _LONGEST_CODE), code(found.owner, _LONGEST_CODE)
    if found.kind == "keyword":
        return f"{code(f'{found.owner}()', _LONGEST_CODE)} has no keyword argument {name}"
    return f"{owner} has no {'attribute' if found.kind == 'attribute' else 'function or attribute'} {name}"
