"""The causes that an error can name, asked in this order: the first that applies words the mistake."""

from lessons.capture.wording.causes import (
    api_path,
    escaped_sign,
    left_folder,
    missing_program,
    named_place,
    no_folder,
    no_glob_match,
    wrong_option,
)
from lessons.capture.wording.causes.cause import Cause
from lessons.episode import Episode

_CAUSES = (escaped_sign, no_glob_match, no_folder, missing_program, wrong_option, api_path, left_folder, named_place)


def cause_of(episode: Episode) -> Cause | None:
    if not episode.failure.command or episode.change.kind == "protocol":
        return None
    return next((found for module in _CAUSES if (found := module.cause(episode))), None)
