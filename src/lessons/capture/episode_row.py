"""An episode in, the row that is stored of it out: whom the error blames, and what it says."""

import re
from datetime import datetime

from lessons.capture.family import blamed
from lessons.episode import Episode
from lessons.failure.fingerprint import signature
from lessons.failure.telling_line import telling_line
from lessons.store.history.episodes import EpisodeRow

_LONGEST = 500
_LONGEST_CALL, _LONGEST_PAUSE = 600.0, 60.0  # seconds: who comes back later did something else meanwhile
# What tells one mistake from another of the same words: the option, or the command, script or module that is not there.
_OPTION = re.compile(r"(?:(?<=[\s'\"`(])|\A)--?[A-Za-z][\w-]{0,40}(?![\w./*])")
_NAMED = re.compile(
    r"(?:command|subcommand|script|task|recipe|target|module named|module|field|option|flag|argument)[:=]?"
    r" [`'\"]([\w@:./-]{1,60})[`'\"]"
    r"|(?:script|command)[:=] ([\w@:.-]{1,60})"
)
# A command in the wrong folder is one mistake, whatever the command.
FOLDER = "folder"


def row_of(session_id: str, episode: Episode) -> EpisodeRow:
    failure, change = episode.failure, episode.change
    family = blamed(failure)
    is_drift = change.kind == "wrong-path" and change.after.startswith("cd ")
    program = FOLDER if is_drift else family.partition(" ")[0]
    said = "" if is_drift else _said(failure.error, change.kind == "protocol")
    return EpisodeRow(
        failure.tool_use_id,
        session_id,
        change.kind,
        program,
        family,
        said,
        episode.fix.tool_use_id if episode.fix else "",
        change.before[:_LONGEST],
        change.after[:_LONGEST],
        episode.calls_lost,
        _seconds(episode),
        episode.told,
        episode.later_worked,
        episode.later_tried,
    )


def _said(error: str, is_protocol: bool) -> str:
    """The signature, and behind it what it leaves out although it tells which mistake it is."""
    if is_protocol:
        return signature(error)
    line = telling_line(error)
    named = {found[1] or found[2] for found in _NAMED.finditer(line)} | set(_OPTION.findall(line))
    return " ".join([signature(error), *(f"‹{name}›" for name in sorted(named))])


def _seconds(episode: Episode) -> float:
    """How long the failed call took, and the way to the one that worked, without pauses."""
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
