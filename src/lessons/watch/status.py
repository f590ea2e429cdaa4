"""The state of the watcher, for people and programs: whether it runs, what it does, and what failed."""

from lessons.errors import NotFound
from lessons.store import watch_status
from lessons.store.history.history import History
from lessons.store.history.progress import FailedSegment


def status(home: str) -> dict[str, object]:
    """Reports the state; failed segments come from the history, whether a watcher runs or not."""
    running = watch_status.is_running(home)
    found = watch_status.read(home) if running else None
    failed = _failed(home)
    return {
        "running": running,
        "pid": found.pid if found else None,
        "sessions": found.sessions if found else 0,
        "queued": found.queued if found else 0,
        "backoff": [_document(each) for each in failed if each.state == "failed"],
        "deadLetters": [_document(each) for each in failed if each.state == "dead"],
        "lastTick": found.last_tick or None if found else None,
        "mode": found.mode if found else None,
        "problem": found.problem or None if found else None,
    }


def _failed(home: str) -> list[FailedSegment]:
    try:
        with History.for_reading(home) as history:
            return history.progress.failed_segments()
    except NotFound:
        return []


def _document(each: FailedSegment) -> dict[str, object]:
    return {
        "segment": each.key,
        "file": each.file,
        "miner": each.miner,
        "attempts": each.attempts,
        "retryAfter": each.retry_after,
        "reason": each.reason,
    }
