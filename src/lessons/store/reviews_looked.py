"""The file `reviews-looked` of a project in the data home: when a session start last checked the review log."""

from lessons.system import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.store.project_state.state_paths import StatePaths

_LOG, _MARK = "/reviews.jsonl", "/reviews-looked"


def are_due(place: "StatePaths") -> bool:
    """Whether the log has changed since; False if there is none."""
    changed = _time_of(place.state + _LOG)
    return changed is not None and changed >= (_time_of(place.own + _MARK) or 0)


def touch(place: "StatePaths") -> None:
    """Never raises: if it cannot be recorded, the log is checked once more."""
    path = place.own + _MARK
    try:
        system.close(system.open(path, system.O_WRONLY | system.O_CREAT, 0o600))
        system.utime(path)
    except (OSError, ValueError):
        pass


def _time_of(path: str) -> int | None:
    try:
        return system.stat(path).st_mtime_ns
    except (OSError, ValueError):
        return None
