"""The files a session has read since its last long pause."""

from lessons.continuity.compaction import MANY_FILES, many_files
from lessons.continuity.session_follower import Moment
from lessons.session import ContextTracking

_MOST_FILES = 200


def tracked(tracking: ContextTracking, moments: list[Moment], last_activity: int) -> ContextTracking:
    """Starts a new list after half an hour without activity; repeating the same moments changes nothing."""
    files, reset, shown = list(tracking.files_read), tracking.last_reset, tracking.warning_shown
    for moment in moments:
        if not moment.path:
            if moment.time > reset:
                files, reset, shown = [], moment.time, False
        elif moment.time >= reset:
            files = [*(each for each in files if each != moment.path), moment.path][-_MOST_FILES:]
            reset = reset or moment.time
    return ContextTracking(
        files_read=files,
        last_reset=reset,
        warning_shown=shown,
        last_activity=max(tracking.last_activity, last_activity),
    )


def warning(tracking: ContextTracking) -> str:
    """Returns a warning if the list is long; the caller that shows it sets `warning_shown`."""
    count = len(tracking.files_read)
    if count < MANY_FILES or tracking.warning_shown:
        return ""
    return many_files(count)
