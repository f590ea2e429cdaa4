"""Folders of transcripts in, everything new in them in the history out, with an account of what was met."""

import time
from collections.abc import Callable, Iterator

import msgspec

from lessons.agents.base import Reader
from lessons.agents.table import reader_of
from lessons.capture.coverage import OUTCOMES, Coverage
from lessons.capture.discover import transcripts
from lessons.capture.jobs import FOREIGN, GONE, LOST, REPLACED, UNCLEAR, Done, Job, Known, Problem
from lessons.store.consent import Consent
from lessons.store.history.border import NotStorable
from lessons.store.history.history import History
from lessons.store.history.rows import Batch, FileState
from lessons.store.history.sources import Source
from lessons.store.history.writer import Written

_COMMIT_SECONDS = 0.25


class Request(msgspec.Struct, frozen=True):
    """What is to be read, and how."""

    folders: list[str]
    agent: str
    consent: Consent
    full: bool = False
    window: int = 8  # calls after a failure in which its fix is looked for
    processes: Callable[[int], int] = lambda size: 1  # how many, for so many bytes


class Progress(msgspec.Struct):
    """How far a scan is, for a bar."""

    total: int
    done: int = 0
    files: int = 0


Watch = Callable[[Progress], None]


def scan(history: History, request: Request, watch: Watch = lambda progress: None) -> Coverage:
    """Read what is new; whenever it ends, all that was read is stored and nothing else counts as read."""
    began = time.monotonic()
    scanning = _Scan(history, request, reader_of(request.agent), watch)
    try:
        scanning.run()
        scanning.mine()
    finally:
        scanning.coverage.seconds = time.monotonic() - began
    return scanning.coverage


class _Scan:
    """One scan under way."""

    def __init__(self, history: History, request: Request, reader: Reader, watch: Watch) -> None:
        self.history = history
        self.request = request
        self.reader = reader
        self.watch = watch
        self.coverage = Coverage()
        self.known: dict[str, Source | None] = {}
        self.jobs: list[Job] = []
        self.sizes: dict[str, int] = {}
        self.reached: dict[str, Known] = {}  # how far each file of this scan is stored
        self.broken: set[str] = set()  # files that gave something that cannot be written
        self.held: dict[str, list[Batch]] = {}
        self.calls: set[int] = set()
        self.transaction_began = 0.0

    def run(self) -> None:
        self._plan()
        if not self.jobs:
            return
        self.progress = Progress(sum(self.sizes[job.path] for job in self.jobs))
        self.watch(self.progress)
        try:
            for done in self._parts():
                self._begin()
                self._take(done)
                self._commit_in_time()
                self.watch(self.progress)
        except BaseException:
            # A part is written whole or not at all; what was committed before stays.
            self.history.rollback()
            raise
        self.history.commit()
        self._count_calls()

    def mine(self) -> None:
        """Look for mistakes in every session that changed; also in those that an interrupted scan has read."""
        if not self.history.sessions_to_mine.is_empty(self.request.window):
            from lessons.capture.mine import mine

            changed = mine(self.history, self.request.window)
            self.coverage.new_candidates |= changed.new
            self.coverage.updated_candidates |= changed.updated
            self.coverage.recurring_candidates |= changed.recurring
            self.coverage.mined = True

    def _plan(self) -> None:
        known = frozenset() if self.request.full else self.history.sources.fully_read(self.reader.agent)
        found = transcripts(self.reader, self.request.folders, known)
        self.coverage.files.found, self.coverage.files.unchanged = found.files, found.unchanged
        for file in found.others:
            if file.state is None:
                self._unreadable(file.path, "it cannot be opened")
            else:
                source = self.history.sources.latest(self.reader.agent, file.path)
                self.known[file.path] = source
                self.jobs.append(self._job(file.path, file.state, source))
        if self.request.full:
            mine = [source.id for source in self.known.values() if source]
            with self.history.transaction():
                self.history.sources.mark_for_rereading(mine)
        # The largest first (they are taken from the end), so that no process is left alone with one.
        self.jobs.sort(key=lambda job: (self.sizes[job.path], job.path))

    def _job(self, path: str, state: FileState, source: Source | None) -> Job:
        known = Known(source.offset, source.head, source.tail, source.memory) if source else Known()
        # As long as before, but written since: what is in it may have changed.
        touched = source is not None and (state.size == source.state.size or source.is_to_be_reread)
        known.again = touched or self.request.full
        self.reached[path] = known
        self.sizes[path] = max(0, state.size - (0 if known.again else known.offset))
        return Job(self.reader.agent, path, known)

    def _parts(self) -> Iterator[Done]:
        # Loaded only now: most scans find nothing new, and all that takes a transcript apart is slow to load.
        count = self.request.processes(self.progress.total)
        if count <= 1 or len(self.jobs) <= 1:
            from lessons.capture.worker import in_this_process

            return in_this_process(self.jobs, self.request.consent)
        from lessons.capture.pool import in_processes

        return in_processes(self.jobs, self.request.consent, min(count, len(self.jobs)))

    def _take(self, done: Done) -> None:
        part = done.part
        if isinstance(part, Problem):
            self._problem(done.path, part)
        elif done.path not in self.broken:
            self._take_part(done.path, part)

    def _take_part(self, path: str, part: Batch) -> None:
        """What cannot be written is a problem of its file and not of the others; the next scan tries it again."""
        try:
            with self.history.storing():
                self._keep(path, part)
        except NotStorable as fault:
            self.broken.add(path)
            self._unreadable(path, str(fault))

    def _keep(self, path: str, part: Batch) -> None:
        if part.withheld:
            self._hold(path, part)
        else:
            for held in self.held.pop(path, []):
                self._store(path, held)
            self.coverage.add(part, self._store(path, part))
        self.progress.done += part.end - part.start
        if part.state is not None:
            self.coverage.files.read += 1
            self.progress.files += 1

    def _hold(self, path: str, part: Batch) -> None:
        """Nothing of the file may be stored so far; should that change, its beginning is needed."""
        self.held.setdefault(path, []).append(part)
        self.coverage.pass_over(part)
        if part.state is not None:
            del self.held[path]
            self.history.sources.withhold(self.reader.agent, path, part.state)

    def _store(self, path: str, part: Batch) -> Written:
        source = self.known.get(path)
        if source is None:
            self.history.sources.allow(self.reader.agent, path)
            source = self.known[path] = self.history.sources.add(self.reader.agent, path)
        elif part.start == 0:
            self.history.sources.restart(source)
        written = self.history.write(source, part)
        self.reached[path] = Known(part.end, part.head, part.tail, part.memory)
        self.calls |= written.calls
        return written

    def _problem(self, path: str, problem: Problem) -> None:
        if problem.reason == REPLACED:
            self.known[path] = self.history.sources.add(self.reader.agent, path)
            self.reached[path] = Known()
            self.jobs.append(Job(self.reader.agent, path, Known()))
        elif problem.reason == LOST:
            self.jobs.append(Job(self.reader.agent, path, self.reached[path]))
        elif problem.reason == FOREIGN:
            self.coverage.files.foreign += 1
        elif problem.reason == UNCLEAR:
            self.coverage.files.read += 1
        elif problem.reason == GONE:
            self.coverage.files.found -= 1  # agents delete old transcripts, also while one looks at them
        else:
            self._unreadable(path, problem.reason)

    def _unreadable(self, path: str, reason: str) -> None:
        self.coverage.files.unreadable += 1
        self.coverage.problems.append(f"{path} could not be read ({reason}).")

    def _begin(self) -> None:
        if self.history.begin():
            self.transaction_began = time.monotonic()

    def _commit_in_time(self) -> None:
        if time.monotonic() - self.transaction_began >= _COMMIT_SECONDS:
            self.history.commit()

    def _count_calls(self) -> None:
        """How the calls that were met have ended, by what is known now."""
        counts = self.history.calls.outcomes(self.calls)
        self.coverage.calls = {
            "total": sum(counts.values()),
            **{outcome: counts.get(outcome, 0) for outcome in OUTCOMES},
        }
