"""Time windows in which a session may have committed, in seconds since 1970."""

from lessons.session import Work

Windows = list[tuple[float, float]]
_LONGEST_OPEN = 3600  # a call that started earlier and has no end was interrupted
_JUST_NOW = 10  # seconds
_KEPT_SECONDS = 300


def windows_of(work: Work, after_commit: bool, now: float) -> Windows:
    """Returns the windows of finished calls and of those still running.

    `after_commit`: a call has just committed; if the transcript does not show it yet, the last seconds count.
    """
    running = [(began, now) for began in work.commit_calls.values() if began > now - _LONGEST_OPEN]
    found = [*work.commit_windows, *running]
    is_covered = any(end > now - _JUST_NOW for _, end in found)
    return [*found, (now - _JUST_NOW, now)] if after_commit and not is_covered else found


def after_look(windows: Windows, now: float) -> Windows:
    """Returns the windows that a later check may still need, because git may have been too slow for this one."""
    return [window for window in windows if window[1] > now - _KEPT_SECONDS]
