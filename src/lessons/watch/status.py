"""The state of the watcher for programs, and what it did for people."""

import os
from contextlib import suppress

from lessons.errors import NotFound
from lessons.store import running
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall
from lessons.store.history.sources import FailedSegment
from lessons.watch.tick import TickResult

_COMMAND_WIDTH = 44


def status(home: str) -> dict[str, object]:
    """Reports the state; failed segments come from the history, whether a watcher runs or not."""
    is_watching = running.is_watching(home)
    found = running.read_status(home) if is_watching else None
    failed: list[FailedSegment] = []
    with suppress(NotFound), History.for_reading(home) as history:
        failed = history.progress.failed_segments()
    return {
        "running": is_watching,
        "pid": found.pid if found else None,
        "sessions": found.sessions if found else 0,
        "queued": found.queued if found else 0,
        "backoff": [_document(each) for each in failed if each.state == "failed"],
        "deadLetters": [_document(each) for each in failed if each.state == "dead"],
        "lastTick": found.last_tick or None if found else None,
        "mode": found.mode if found else None,
        "problem": found.problem or None if found else None,
    }


def _document(each: FailedSegment) -> dict[str, object]:
    return {
        "segment": each.key,
        "file": each.file,
        "miner": each.miner,
        "attempts": each.attempts,
        "retryAfter": each.retry_after,
        "reason": each.reason,
    }


def lines_of(result: TickResult) -> list[str]:
    """Returns a line for each call that was read, and for what was mined."""
    lines = [_call_line(call) for call in result.calls]
    if (more := result.coverage.calls["total"] - len(result.calls)) > 0:
        lines.insert(0, f"{more:,} more calls")
    mined = result.mined
    if mined and mined.sessions:
        new, updated = len(mined.new), len(mined.updated)
        found = f"candidates: {new:,} new, {updated:,} seen again" if new or updated else "no new candidates"
        lines.append(f"mined {_many(mined.sessions, 'quiet session')}; {found}")
    if result.coverage.failed_segments:
        lines.append(f"{_many(result.coverage.failed_segments, 'segment')} failed; retried later")
    return lines


def _call_line(call: PastCall) -> str:
    what = " ".join((call.command or call.path or call.tool).split())
    short = what if len(what) <= _COMMAND_WIDTH else what[: _COMMAND_WIDTH - 1] + "…"
    return f"{call.outcome:<11} {(os.path.basename(call.project) or '?')[:14]:<14} {short}"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
