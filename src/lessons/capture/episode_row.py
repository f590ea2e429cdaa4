"""Builds the stored row of an episode: which program the error blames, and what it says."""

import re
from datetime import datetime

from lessons.capture.family import blame_of, blamed
from lessons.episode import Episode, Step
from lessons.failure.complaint import complained_texts, is_about_files, is_about_unknown_path, wrong_options
from lessons.failure.fingerprint import signature
from lessons.failure.telling_line import telling_line
from lessons.shell.api_path import api_shapes
from lessons.shell.blame import SHELL
from lessons.shell.elsewhere import carrier
from lessons.shell.missing import missing_program
from lessons.store.history.episodes import EpisodeRow

_LONGEST_CHANGE = 500
_LAST_SEGMENTS = 4
_LONGEST_CALL, _LONGEST_PAUSE = 600.0, 60.0  # seconds: whoever returns later did something else meanwhile
# Distinguishes mistakes with the same words: the option, or the missing command, script or module.
_OPTION = re.compile(r"(?:(?<=[\s'\"`(])|\A)--?[A-Za-z][\w-]{0,40}(?![\w./*])")
_NAMED = re.compile(
    r"(?:command|subcommand|script|task|recipe|target|module named|module|field|option|flag|argument|table|column"
    r"|relation|function|database|schema|role|index|type)[:=]? [`'\"]([\w@:./-]{1,60})[`'\"]"
    r"|(?:script|command|table|column)[:=] ([\w@:.-]{1,60})"
)
_UNEXPECTED = re.compile(r"(?:unexpected|extra|too many|unrecogni[sz]ed)\b.{0,12}\barguments?\b", re.IGNORECASE)
# A command in the wrong folder is one mistake, whatever the command.
FOLDER = "folder"
# For mistakes about places: the same words in another project are another mistake.
LOCAL = "‹here›"


def row_of(session_id: str, episode: Episode) -> EpisodeRow:
    failure, change = episode.failure, episode.change
    family = SHELL if is_mangled(failure.command, failure.error) else blamed(failure)
    program = FOLDER if is_left_folder(episode) else family.partition(" ")[0]
    said = LOCAL if program == FOLDER else _said(episode)
    return EpisodeRow(
        failure.tool_use_id,
        session_id,
        change.kind,
        program,
        family,
        said,
        episode.fix.tool_use_id if episode.fix else "",
        change.before[:_LONGEST_CHANGE],
        change.after[:_LONGEST_CHANGE],
        episode.calls_lost,
        _seconds(episode),
        episode.told,
        episode.later_worked,
        episode.later_tried,
    )


def is_left_folder(episode: Episode) -> bool:
    """Whether the shell was still in the folder of an earlier `cd`: going back helped, or the path repeats it."""
    failure, change = episode.failure, episode.change
    if change.kind == "wrong-path" and change.after.startswith("cd "):
        return True
    if not failure.command or not is_about_files(telling_line(failure.error)):
        return False
    return any(_repeats(path, failure.cwd) for path in complained_texts(failure.error) if path in failure.command)


def _repeats(path: str, folder: str) -> bool:
    """Whether a path starts with the folders of the current one: `apps/web/a.ts` in `…/apps/web`."""
    parts = path.split("/")
    return any(folder.endswith("/" + "/".join(parts[:size])) for size in range(1, len(parts)))


def is_mangled(command: str, error: str) -> bool:
    """Whether the error shows the command with a backslash that it did not have: something in between added it."""
    return "\\!" in error and "!" in command and "\\!" not in command


def _said(episode: Episode) -> str:
    """Returns the signature, and after it the distinguishing parts that it leaves out."""
    failure = episode.failure
    if episode.change.kind == "protocol":
        return signature(failure.error)
    if is_mangled(failure.command, failure.error):
        return "a sign was escaped ‹\\!›"
    options = wrong_options(_options(failure), failure.error) if failure.command else []
    if options:  # whatever else the error says: the option is the mistake
        return " ".join(["wrong option", *(f"‹{option}›" for option in sorted(options))])
    line = telling_line(failure.error)
    named = {name for found in _NAMED.finditer(line) for name in found.groups() if name}
    if _UNEXPECTED.search(line) and named & (given := set(failure.command.split())):
        named = (named - given) | {blamed(failure)}  # a value of this call: the next one has another
    named |= set(_OPTION.findall(line)) | _endpoints(failure) | _carriers(failure)
    marks = [f"‹{name}›" for name in sorted(named)]
    return " ".join([signature(failure.error), *marks, *([LOCAL] if is_about_files(line) else [])])


def _options(step: Step) -> list[str]:
    words = found.part.words if (found := blame_of(step)) else []
    return [word.partition("=")[0] for word in words[1:] if word[:1] == "-"]


def _endpoints(step: Step) -> set[str]:
    """Returns the shape of the API path that is unknown: another path is another mistake."""
    if not step.command or not is_about_unknown_path(telling_line(step.error)):
        return set()
    shapes = [shape for shape in api_shapes(step.command) if "" in shape]
    return {"/".join(part or "#" for part in shape[-_LAST_SEGMENTS:]) for shape in shapes[:1]}


def _carriers(step: Step) -> set[str]:
    """Returns what started a missing program elsewhere: that another machine lacks it is another mistake."""
    name = missing_program(telling_line(step.error))
    return {found} if name and (found := carrier(step.command, name)) else set()


def _seconds(episode: Episode) -> float:
    """Returns the time of the failed call plus the time to the one that worked, without pauses."""
    failure, fix = episode.failure, episode.fix
    lost = min(_between(failure.time, failure.ended), _LONGEST_CALL)
    if fix:
        lost += min(_between(failure.ended or failure.time, fix.time), _LONGEST_PAUSE * episode.calls_lost)
    return round(lost, 1)


def _between(one: str, other: str) -> float:
    try:
        return max(0.0, (datetime.fromisoformat(other) - datetime.fromisoformat(one)).total_seconds())
    except ValueError:
        return 0.0
