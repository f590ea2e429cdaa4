"""Code in the command line uses a name that the library does not have."""

from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import code, is_one_off
from lessons.episode import Episode
from lessons.failure.api_error import ApiError, api_error, uses
from lessons.shell.split import scripts_in

_LONGEST_CODE = 100


def cause(episode: Episode) -> Cause | None:
    found = api_error(episode.failure.error)
    if found is None or not any(uses(found, script) for script in scripts_in(episode.failure.command)):
        return None
    before, after = episode.change.before.strip("= "), episode.change.after.strip("= ")
    if episode.fix is None or not before or is_one_off(after):
        return Cause(_problem(found), "No replacement was seen: look the name up in the library")
    if not after:
        return Cause(_problem(found), f"Leave out {code(before, _LONGEST_CODE)}", True)
    return Cause(_problem(found), f"Use {code(after, _LONGEST_CODE)} instead of {code(before, _LONGEST_CODE)}", True)


def _problem(found: ApiError) -> str:
    name, owner = code(found.name, _LONGEST_CODE), code(found.owner, _LONGEST_CODE)
    if found.kind == "keyword":
        return f"{code(f'{found.owner}()', _LONGEST_CODE)} has no keyword argument {name}"
    return f"{owner} has no {'attribute' if found.kind == 'attribute' else 'function or attribute'} {name}"
