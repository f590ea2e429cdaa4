"""The state of the watcher for people and programs."""

import os
import time
from collections import deque
from contextlib import suppress

from lessons.errors import NotFound
from lessons.store import running
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall
from lessons.store.history.sources import FailedSegment
from lessons.watch.tick import TickResult


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


_MOST_LINES = 12
_COMMAND_WIDTH = 44


class View:
    """The numbers since the start and the last lines."""

    def __init__(self) -> None:
        self.calls = self.failed = self.candidates = self.active = self.queued = 0
        self.waiting = self.given_up = 0
        self.lines: deque[str] = deque(maxlen=_MOST_LINES)

    def ticked(self, result: TickResult, active: int, queued: int, now: float) -> list[str]:
        """Returns the new lines."""
        self.active, self.queued = active, queued
        self.calls += result.coverage.calls["total"]
        self.failed += result.coverage.calls["failed"]
        self.waiting = sum(each.state == "failed" for each in result.failed)
        self.given_up = len(result.failed) - self.waiting
        clock = time.strftime("%H:%M:%S", time.localtime(now))
        lines = [f"{clock}  {_call_line(call)}" for call in result.calls]
        if (more := result.coverage.calls["total"] - len(result.calls)) > 0:
            lines.insert(0, f"{clock}  {more:,} more calls")
        if result.mined and result.mined.sessions:
            self.candidates += len(result.mined.new)
            lines.append(f"{clock}  mined {_many(result.mined.sessions, 'quiet session')}: {_found(result)}")
        if result.coverage.failed_segments:
            lines.append(f"{clock}  {_many(result.coverage.failed_segments, 'segment')} failed; retried later")
        self.lines.extend(lines)
        return lines

    def problem(self, sentence: str, now: float) -> str:
        line = f"{time.strftime('%H:%M:%S', time.localtime(now))}  problem: {sentence}"
        self.lines.append(line)
        return line

    def screen(self, width: int) -> list[str]:
        """Returns all lines of the screen; none is longer than the width."""
        head = f"{_many(self.active, 'active session')} · {_many(self.calls, 'call')}, {self.failed:,} failed"
        second = f"{_many(self.candidates, 'new candidate')} · {_many(self.queued, 'file')} queued"
        retries = f"{self.waiting:,} waiting for a retry, {self.given_up:,} given up"
        lines = [head, f"{second} · {retries}", "", *(self.lines or ["Waiting for a session to write something."])]
        return [line if len(line) <= width else line[: width - 1] + "…" for line in lines]


def _call_line(call: PastCall) -> str:
    what = call.command or call.path or call.tool
    what = " ".join(what.split())
    short = what if len(what) <= _COMMAND_WIDTH else what[: _COMMAND_WIDTH - 1] + "…"
    project = os.path.basename(call.project) or "?"
    return f"{call.outcome:<11} {project[:14]:<14} {short}"


def _found(result: TickResult) -> str:
    mined = result.mined
    if not mined or not (mined.new or mined.updated):
        return "no new candidates"
    parts = {"new": len(mined.new), "seen again": len(mined.updated)}
    return ", ".join(f"{_many(number, 'candidate')} {what}" for what, number in parts.items() if number)


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


class Listener:
    """Shows nothing; no method may raise."""

    def ticked(self, result: TickResult, active: int, queued: int, now: float) -> None:
        """Something was read or mined, or the number of active sessions changed."""

    def problem(self, sentence: str) -> None:
        """Something is wrong; the watcher continues."""
