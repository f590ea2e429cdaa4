"""The watcher: waits for writes, reads them in ticks, mines quiet sessions, until stopped."""

import os
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from lessons.errors import Busy, DamagedHistory, LessonsError
from lessons.scan.discover import Root, agents_of
from lessons.scan.run import Options, run
from lessons.store import logs, running
from lessons.store.logs import describe_fault as describe
from lessons.store.running import WatchStatus
from lessons.watch import export, schedule
from lessons.watch.changes import Changes, Events, FileQueue, Polling, wants_polling
from lessons.watch.schedule import Limits, Stopped
from lessons.watch.status import Listener
from lessons.watch.tick import TickResult, sweep, tick

_BUSY_SECONDS = 1.0
_RETRY_SECONDS = 60.0  # between two checks of all files because of failed segments
_FAULT_SECONDS = 5.0  # after a fault that will not pass at once


class Watcher:
    """Reads the transcripts below the roots while they are written. Single-threaded; the clock is injected."""

    def __init__(
        self,
        home: str,
        find_roots: Callable[[], list[Root]],
        limits: Limits | None = None,
        mode: str = "auto",
        listener: Listener | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.home = home
        self.find_roots = find_roots
        self.roots = find_roots()
        self.limits = limits or Limits()
        self.mode = mode
        self.listener = listener or Listener()
        self.clock = clock
        self.stop = threading.Event()
        self.queue = FileQueue(self.limits.queue)
        self.result = TickResult()
        self.status = WatchStatus(os.getpid(), _moment(clock()))
        self.written: WatchStatus | None = None
        self.exporter = export.Exporter(home, self.limits.export)
        self.next_sweep = 0.0  # by the monotonic clock, like all waits of this process only
        self.next_beat = 0.0
        self.not_before = 0.0
        self.no_retry_before = 0.0
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
                self.exporter.finish(self._problem)
            finally:  # the export may be interrupted: it took too long
                logs.record_watch(self.home, "stopped")

    def once(self) -> TickResult:
        """Reads all new data and mines quiet sessions; raises on a fault."""
        self.result = tick(self.home, self.roots, None, self.limits, self.clock, self.stop.is_set)
        self.exporter.note(self.result)
        self.exporter.finish(self._problem)
        return self.result

    def _changes(self) -> Changes:
        folders = [root.folder for root in self.roots]
        if not wants_polling(self.mode, folders):
            try:
                events = Events(folders, lambda path: bool(agents_of(path, self.roots)), self.stop)
                self.status.mode = "events"
                return events
            except OSError as fault:
                self._problem(f"File system events are not available ({fault}): files are polled every few seconds.")
        self.status.mode = "polling"
        return Polling(self.limits.poll, self.stop)

    def _take(self, changes: Changes, written: set[str] | None) -> Changes:
        if written is None:
            self.next_sweep = 0.0
        else:
            self.queue.put(sorted(written, key=_last_write))
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

    def _turn(self) -> None:
        """Runs one tick, if anything is due."""
        if time.monotonic() < self.not_before:
            return
        is_sweep = time.monotonic() >= self.next_sweep or self.queue.has_dropped or self._is_retry_due()
        if not (is_sweep or self.queue or self._is_mining_due()):
            self.exporter.when_due(self._problem)
            return
        paths: list[str] = []
        try:
            if is_sweep:
                self._sweep()
            paths = self.queue.take(self.limits.files)
            if paths or is_sweep or self._is_mining_due():
                self._tick(paths)
            self.not_before = time.monotonic() + self.limits.between_ticks
        except Stopped:
            self.stop.set()
        except Busy:
            # A scan is running: it reads the same files.
            self.queue.put(reversed(paths))
            self.not_before = time.monotonic() + _BUSY_SECONDS
        except BrokenPipeError:
            self.stop.set()  # nobody reads its output any more
        except DamagedHistory as damaged:
            self._problem(str(damaged))
            self._repair()
        except (LessonsError, OSError) as fault:
            self._failed(str(fault), paths)
        except Exception as fault:
            self._failed(describe(fault), paths)

    def _sweep(self) -> None:
        """Checks all files; new data is read tick by tick, as after a file event."""
        found = sweep(self.home, self.roots, self.clock)
        self.next_sweep = time.monotonic() + self.limits.sweep
        self.no_retry_before = time.monotonic() + _RETRY_SECONDS
        self.queue.has_dropped = False
        self.queue.put(reversed(found.files))
        for path in found.unreadable:
            self._problem(f"{path} could not be read (it cannot be opened).")

    def _tick(self, paths: list[str]) -> None:
        result = tick(self.home, self.roots, paths, self.limits, self.clock, self.stop.is_set)
        self.result = result
        self.status.problem = ""
        self.status.last_tick = _moment(self.clock())
        self._report(result)
        self.exporter.note(result)
        self.exporter.when_due(self._problem)

    def _report(self, result: TickResult) -> None:
        now = self.clock()
        active = len(schedule.active_sessions(result.last_writes, now, self.limits.quiet))
        if result.did_something:
            coverage, mined = result.coverage, result.mined
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
        self.listener.ticked(result, active, len(self.queue), now)

    def _is_mining_due(self) -> bool:
        """Whether a session is quiet now."""
        last_writes, quiet = self.result.last_writes, self.limits.quiet
        return bool(schedule.quiet_sessions(last_writes, self.clock(), quiet, self.result.unread))

    def _is_retry_due(self) -> bool:
        """Whether a failed segment is due for a retry; one whose file is missing is retried at intervals."""
        moment = self.result.next_retry
        return moment is not None and moment <= self.clock() and time.monotonic() >= self.no_retry_before

    def _sleep(self) -> float:
        now, waiting = self.clock(), time.monotonic()
        soonest = schedule.next_quiet(self.result.last_writes, now, self.limits.quiet)
        own = [self.next_sweep, self.next_beat, self.exporter.due_at]
        if self.queue or self._is_mining_due():
            own.append(self.not_before)
        inside = [None if moment is None else moment - waiting + now for moment in own]
        retry = self.result.next_retry and max(self.result.next_retry, self.no_retry_before - waiting + now)
        return schedule.sleep_until([soonest, retry, *inside], now, self.limits.sweep)

    def _beat(self) -> None:
        """Writes the status at least at intervals, so that others see that it runs."""
        status, active = self.status, schedule.active_sessions(self.result.last_writes, self.clock(), self.limits.quiet)
        status.sessions, status.queued = len(active), len(self.queue)
        if status == self.written and time.monotonic() < self.next_beat:
            return
        self.written = msgspec.structs.replace(status)
        self.next_beat = time.monotonic() + self.limits.heartbeat
        try:
            running.write_status(self.home, status)
        except OSError as fault:
            self.listener.problem(f"The status cannot be written ({fault}).")

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
        self.queue.put(reversed(paths))
        self.not_before = time.monotonic() + _FAULT_SECONDS

    def _problem(self, sentence: str) -> None:
        """Reports a problem at most once per interval, however often it occurs."""
        now = time.monotonic()
        if self.problems.get(sentence, 0.0) > now:
            return
        self.problems = {each: until for each, until in self.problems.items() if until > now}
        self.problems[sentence] = now + self.limits.sweep
        logs.record_watch(self.home, "problem", problem=sentence)
        self.listener.problem(sentence)


def _last_write(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
