"""The causes that an error can name, in this order: the first that applies describes the mistake."""

from lessons.capture.wording.causes import (
    already_gone,
    api_path,
    blocked_sleep,
    empty_command,
    escaped_sign,
    leading_dash,
    left_folder,
    missing_program,
    missing_value,
    named_place,
    no_folder,
    no_glob_match,
    of_powershell,
    ran_text,
    shell_syntax,
    wrong_option,
)
from lessons.capture.wording.causes.cause import Cause
from lessons.episode import Episode

_OF_SHELLS = (
    escaped_sign,
    no_glob_match,
    ran_text,
    empty_command,
    of_powershell,
    shell_syntax,
    no_folder,
    missing_program,
)
_CAUSES = (
    blocked_sleep,
    *_OF_SHELLS,
    leading_dash,
    missing_value,
    wrong_option,
    api_path,
    already_gone,
    left_folder,
    named_place,
)


def cause_of(episode: Episode) -> Cause | None:
    if not episode.failure.command or episode.change.kind == "protocol":
        return None
    return next((found for module in _CAUSES if (found := module.cause(episode))), None)
