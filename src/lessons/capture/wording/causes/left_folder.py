"""The shell was still in the folder of an earlier `cd`."""

import posixpath

from lessons.capture.episode_row import is_left_folder
from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import code, is_one_off
from lessons.episode import Episode
from lessons.match.call import folder_key
from lessons.shell.family import family_of_line

_LONGEST_CODE = 60


def cause(episode: Episode) -> Cause | None:
    change, failure = episode.change, episode.failure
    if not is_left_folder(episode):
        return None
    family = code(family_of_line(failure.command, failure.program, failure.subcommand), _LONGEST_CODE)
    if not change.after.startswith("cd "):
        return Cause(f"{family} fails in the folder where an earlier `cd` has left the shell", _ROOT)
    target = change.after.removeprefix("cd ").strip("'\"; &").rstrip("/")
    if to := _nearby(target, failure.cwd):
        return Cause(f"{family} is meant for the folder {code(to, _LONGEST_CODE)}", _remedy(to), True)
    inside = folder_key(failure.cwd).removeprefix(folder_key(target)) if target.startswith("/") else ""
    if not inside or inside == folder_key(failure.cwd):
        return Cause(f"{family} fails in the folder where an earlier `cd` has left the shell", _remedy(target), True)
    here = code(inside.rstrip("/"), _LONGEST_CODE)
    return Cause(
        f"{family} is meant for the folder above {here}, where an earlier `cd` has left the shell", _ROOT, True
    )


_ROOT = 'Run it from the project root: `cd "$(git rev-parse --show-toplevel)" && …`'


def _nearby(target: str, cwd: str) -> str:
    """Returns the path from one folder to another that is inside or beside it."""
    if not (target.startswith("/") and cwd.startswith("/")):
        return ""
    way = posixpath.relpath(target, cwd)
    return "" if way in (".", "..") or way.startswith("../..") or is_one_off(way) else way


def _remedy(target: str) -> str:
    return f"Begin the line with {code(f'cd {target}', _LONGEST_CODE)}" if target[:1] not in "/~" else _ROOT
