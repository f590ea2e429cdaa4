"""An episode in, the row that is stored of it out: whom the error blames, and what it says."""

from datetime import datetime

from lessons.capture.family import blamed
from lessons.capture.fingerprint import signature
from lessons.capture.wording_error import telling_of
from lessons.episode import Episode
from lessons.store.history.episodes import Row

_LONGEST = 500
_LONGEST_WAIT = 600.0  # seconds: who comes back later did something else meanwhile
# A command in the wrong folder is one mistake, whatever the command.
FOLDER = "folder"


def row_of(session_id: str, episode: Episode) -> Row:
    failure, change = episode.failure, episode.change
    family = blamed(failure)
    is_drift = change.kind == "wrong-path" and change.after.startswith("cd ")
    program = FOLDER if is_drift else family.partition(" ")[0]
    said = "" if is_drift else signature(failure.error if change.kind == "protocol" else telling_of(failure.error))
    return Row(
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


def _seconds(episode: Episode) -> float:
    """From the call that failed to the end of the one that worked, or to its own end."""
    last = episode.fix or episode.failure
    try:
        began, ended = datetime.fromisoformat(episode.failure.time), datetime.fromisoformat(last.ended or last.time)
    except ValueError:
        return 0.0
    return min(max(0.0, (ended - began).total_seconds()), _LONGEST_WAIT)
