"""The API has no such path; the call that worked uses another one."""

from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.text import code
from lessons.episode import Episode, Step
from lessons.failure.complaint import is_about_unknown_path
from lessons.failure.telling_line import telling_line
from lessons.shell.api_path import Shape, api_shapes

_LONGEST_CODE = 90
_SEGMENTS = 5


def cause(episode: Episode) -> Cause | None:
    failed = _shape(episode.failure)
    if not failed or not is_about_unknown_path(telling_line(episode.failure.error)):
        return None
    family = f"{episode.failure.program} {episode.failure.subcommand}".strip()
    problem = f"{code(family, _LONGEST_CODE)} finds no {code(_shown(failed), _LONGEST_CODE)}: the API has no such path"
    worked = _shape(episode.fix) if episode.fix else ()
    if worked == failed and episode.change.kind == "wrong-flag":
        return None  # the path exists: an option of the call was wrong
    if not worked or worked == failed:
        return Cause(problem, "Look the path up in the documentation of the API")
    return Cause(problem, f"Use {code(_shown(worked), _LONGEST_CODE)}", True)


def _shape(step: Step | None) -> Shape:
    shapes = api_shapes(step.command) if step and step.command else []
    return next((shape for shape in shapes if "" in shape), shapes[0] if shapes else ())


def _shown(shape: Shape) -> str:
    """Shows the last segments, numbers as N: earlier segments name one owner or host."""
    parts = [part or "N" for part in shape]
    return "/".join(["…", *parts[-_SEGMENTS:]] if len(parts) > _SEGMENTS else parts)
