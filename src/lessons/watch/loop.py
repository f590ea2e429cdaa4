"""The watcher: waits for writes, reads them in ticks, mines quiet sessions, until stopped; and its state."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

import msgspec

from lessons.errors import Busy, DamagedHistory, LessonsError, NotFound
from lessons.scan.discover import Root
from lessons.scan.run import Options, run
from lessons.store import logs, running
from lessons.store.history.history import History
from lessons.store.history.sources import FailedSegment
from lessons.store.logs import describe_fault
from lessons.store.running import WatchStatus
from lessons.watch.changes import Events, Polling, wants_polling
from lessons.watch.tick import Limits, Stopped, TickResult, export, is_quiet, lines_of, quiet_sessions, sweep, tick

_BUSY_SECONDS = 1.0
_RETRY_SECONDS = 60.0  # between two checks of all files because of failed segments
_FAULT_SECONDS = 5.0  # after a fault that will not pass at once
_SHORTEST_SLEEP = 0.05


class Watcher:
    """Reads the transcripts below the roots while they are written. Single-threaded; the clock is injected."""

    def __init__(
        self,
        home: str,
        find_roots: Callable[[], list[Root]],
        limits: Limits | None = None,
        mode: str = "auto",
        say: Callable[[str], None] = lambda line: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`say` gets each line for the user, and must not raise."""
        self.home = home
        self.find_roots = find_roots
        self.roots = find_roots()
        self.limits = limits or Limits()
        self.mode = mode
        self.say = say
        self.clock = clock
        self.stop = threading.Event()
        self.queue: dict[str, None] = {}  # files to read, newest last
        self.result = TickResult()
        self.status = WatchStatus(os.getpid(), _moment(clock()))
        self.written: WatchStatus | None = None
        # By the monotonic clock, like all waits of this process only.
        self.next_sweep = self.next_beat = self.not_before = self.no_retry_before = 0.0
        self.next_export: float | None = None  # None: nothing has changed since the last one
        self.problems: dict[str, float] = {}  # reported problems, and until when each is not reported again

    def run(self) -> None:
        """Runs until `stop` is set. Reports every problem, and retries later."""
        changes = self._changes()
        logs.record_watch(self.home, "started", mode=self.status.mode, folders=len(self.roots))
        try:
            while not self.stop.is_set():
                self._turn()
                self._beat()
                if not self.stop.is_set():
                    changes = self._take(changes, changes.wait(self._sleep()))
        finally:
            try:
                changes.close()
                self._export()
            finally:  # the export may be interrupted: it took too long
                logs.record_watch(self.home, "stopped")

    def once(self) -> TickResult:
        """Reads all new data and mines quiet sessions; raises on a fault."""
        self.result = tick(self.home, self.roots, None, self.limits, self.clock, self.stop.is_set)
        self._plan_export()
        self._export()
        return self.result

    def _changes(self) -> Events | Polling:
        changes: Events | Polling = Polling(self.limits.poll, self.stop)
        if not wants_polling(self.mode, [root.folder for root in self.roots]):
            try:
                changes = Events(self.roots, self.stop)
            except OSError as fault:
                self._problem(f"File system events are not available ({fault}): files are polled every few seconds.")
        self.status.mode = changes.mode
        return changes

    def _take(self, changes: Events | Polling, written: set[str] | None) -> Events | Polling:
        """Queues what was written, and before a check of all files finds the folders anew."""
        if written is None:
            self.next_sweep = 0.0
        else:
            self._put(sorted(written, key=_last_write))
        if self.next_sweep > time.monotonic():
            return changes
        try:
            roots = self.find_roots()
        except (LessonsError, OSError) as fault:
            self._problem(str(fault))
            return changes
        if roots == self.roots:
            return changes
        self.roots = roots  # a folder appeared or disappeared
        changes.close()
        return self._changes()

    def _put(self, paths: Iterable[str]) -> None:
        """Later paths are newer; a file already queued moves to the front."""
        for path in paths:
            self.queue.pop(path, None)
            self.queue[path] = None

    def _turn(self) -> None:
        """Runs one tick, if anything is due."""
        if time.monotonic() < self.not_before:
            return
        is_sweep = time.monotonic() >= self.next_sweep or self._is_retry_due()
        if not (is_sweep or self.queue or self._is_mining_due()):
            self._export_if_due()
            return
        paths: list[str] = []
        try:
            if is_sweep:
                self._sweep()
            paths = [self.queue.popitem()[0] for _ in range(min(self.limits.files, len(self.queue)))]
            self._tick(paths)
            self.not_before = time.monotonic() + self.limits.between_ticks
        except (Stopped, BrokenPipeError):  # stopped, or nobody reads its output any more
            self.stop.set()
        except Busy:  # a scan is running: it reads the same files
            self._put(reversed(paths))
            self.not_before = time.monotonic() + _BUSY_SECONDS
        except DamagedHistory as damaged:
            self._problem(str(damaged))
            self._repair()
        except Exception as fault:
            self._failed(_sentence(fault), paths)

    def _sweep(self) -> None:
        """Checks all files; new data is read tick by tick, as after a file event."""
        newest, unreadable = sweep(self.home, self.roots, self.clock)
        self.next_sweep = time.monotonic() + self.limits.sweep
        self.no_retry_before = time.monotonic() + _RETRY_SECONDS
        self._put(reversed(newest))
        for path in unreadable:
            self._problem(f"{path} could not be read (it cannot be opened).")

    def _tick(self, paths: list[str]) -> None:
        self.result = tick(self.home, self.roots, paths, self.limits, self.clock, self.stop.is_set)
        self.status.problem = ""
        self.status.last_tick = _moment(self.clock())
        if self.result.did_something:
            self._report()
        self._plan_export()
        self._export_if_due()

    def _report(self) -> None:
        coverage, mined = self.result.coverage, self.result.mined
        logs.record_watch(
            self.home,
            "tick",
            filesRead=coverage.files.read,
            bytesRead=coverage.bytes,
            callsStored=coverage.calls["total"],
            callsFailed=coverage.calls["failed"],
            sessionsMined=mined.sessions if mined else 0,
            candidatesNew=len(mined.new) if mined else 0,
            candidatesUpdated=len(mined.updated) if mined else 0,
            filesUnreadable=coverage.files.unreadable,
            segmentsFailed=coverage.failed_segments,
            seconds=round(coverage.seconds, 3),
        )
        for sentence in coverage.problems:
            self._problem(sentence)
        for line in lines_of(self.result):
            self._say(line)

    def _plan_export(self) -> None:
        if self.result.did_something and self.next_export is None:
            self.next_export = time.monotonic() + self.limits.export

    def _export_if_due(self) -> None:
        if self.next_export is not None and time.monotonic() >= self.next_export:
            self._export()

    def _export(self) -> None:
        """Exports what has changed. Reports what cannot be written now, and writes it later."""
        if self.next_export is None:
            return
        began = time.monotonic()
        try:
            for problem in export(self.home):
                self._problem(problem)
        except Exception as fault:
            self.next_export = time.monotonic() + self.limits.export
            if not isinstance(fault, Busy):  # a scan is running, and does the same at its end
                self._problem(_sentence(fault))
            return
        self.next_export = None
        logs.record_watch(self.home, "exported", seconds=round(time.monotonic() - began, 3))

    def _active(self) -> list[float]:
        """Returns the last writes of the sessions that are not quiet."""
        now = self.clock()
        return [last for last in self.result.last_writes.values() if not is_quiet(last, now, self.limits.quiet)]

    def _is_mining_due(self) -> bool:
        return bool(quiet_sessions(self.result.last_writes, self.clock(), self.limits.quiet, self.result.unread))

    def _is_retry_due(self) -> bool:
        """Whether a failed segment is due for a retry; one whose file is missing is retried at intervals."""
        moment = self.result.next_retry
        return moment is not None and moment <= self.clock() and time.monotonic() >= self.no_retry_before

    def _sleep(self) -> float:
        """Returns the seconds until something is due."""
        now, own_now = self.clock(), time.monotonic()
        waits = [self.limits.sweep, self.next_sweep - own_now, self.next_beat - own_now]
        waits += [last + self.limits.quiet - now for last in self._active()]
        if self.next_export is not None:
            waits.append(self.next_export - own_now)
        if self.queue or self._is_mining_due():
            waits.append(self.not_before - own_now)
        if self.result.next_retry is not None:
            waits.append(max(self.result.next_retry - now, self.no_retry_before - own_now))
        return max(_SHORTEST_SLEEP, min(waits))

    def _beat(self) -> None:
        """Writes the status at least at intervals, so that others see that it runs."""
        self.status.sessions, self.status.queued = len(self._active()), len(self.queue)
        if self.status == self.written and time.monotonic() < self.next_beat:
            return
        self.written = msgspec.structs.replace(self.status)
        self.next_beat = time.monotonic() + self.limits.heartbeat
        try:
            running.write_status(self.home, self.status)
        except OSError as fault:
            self._problem(f"The status cannot be written ({fault}).")

    def _repair(self) -> None:
        """Repairs like a scan: sets the damaged history aside, and keeps what is readable."""
        agents = dict.fromkeys(agent for root in self.roots for agent in root.agents)
        try:
            run(self.home, Options([root.folder for root in self.roots], tuple(agents), processes=1))
        except (LessonsError, OSError) as fault:
            self._failed(str(fault), [])
        self.next_sweep = 0.0

    def _failed(self, what: str, paths: list[str]) -> None:
        self._problem(what)
        self.status.problem = what
        self._put(reversed(paths))
        self.not_before = time.monotonic() + _FAULT_SECONDS

    def _problem(self, sentence: str) -> None:
        """Reports a problem at most once per interval, however often it occurs."""
        now = time.monotonic()
        if self.problems.get(sentence, 0.0) > now:
            return
        self.problems = {each: until for each, until in self.problems.items() if until > now}
        self.problems[sentence] = now + self.limits.sweep
        logs.record_watch(self.home, "problem", problem=sentence)
        self._say(f"problem: {sentence}")

    def _say(self, line: str) -> None:
        self.say(f"{time.strftime('%H:%M:%S', time.localtime(self.clock()))}  {line}")


def _sentence(fault: Exception) -> str:
    return str(fault) if isinstance(fault, LessonsError | OSError) else describe_fault(fault)


def _last_write(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


# Data is stored in transactions: interrupted work is repeated the next time. The second limit is for what is done at
# the end, such as an export.
_GRACE_SECONDS, _END_SECONDS = 0.5, 3.0


@contextmanager
def stopped_by_signals(stop: threading.Event) -> Iterator[None]:
    """Handles SIGTERM, SIGINT and SIGHUP; only in the main thread."""

    def ask(number: int, frame: object) -> None:
        stop.set()
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, _GRACE_SECONDS, _END_SECONDS)

    def break_off(number: int, frame: object) -> None:
        raise Stopped

    for name, handler in (("SIGTERM", ask), ("SIGINT", ask), ("SIGHUP", ask), ("SIGALRM", break_off)):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handler)
    try:
        yield
    except Stopped:
        pass
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def status_of(home: str) -> dict[str, object]:
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
