"""Output redirected into a folder that does not exist."""

from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import code
from lessons.episode import Episode
from lessons.shell.unopened import unopened_target

_LONGEST_CODE = 70


def cause(episode: Episode) -> Cause | None:
    folder = unopened_target(episode.failure.command, episode.failure.error).rpartition("/")[0]
    if not folder:
        return None
    remedy = f"Create it first: {code(f'mkdir -p {folder}', _LONGEST_CODE)}"
    return Cause(f"`>` does not create a folder, and {code(folder, _LONGEST_CODE)} does not exist", remedy)
