"""Reads everything new in folders of transcripts into the history, and counts what was read."""

import time
from collections.abc import Callable, Iterator
from functools import cached_property

import msgspec

from lessons.agents.names import plain_id
from lessons.scan.discover import Found, FoundFile, Root, agents_of, named_transcripts, transcripts, whose
from lessons.scan.workers import Job, Known, Problem, Reason, processes_for, read_files
from lessons.store import injection_files
from lessons.store.consent import Consent
from lessons.store.history.database import NotStorable
from lessons.store.history.history import History
from lessons.store.history.ledger import DENIALS
from lessons.store.history.rows import Batch, FileState, Result
from lessons.store.history.sources import SourceFile
from lessons.store.history.write import Written


class Request(msgspec.Struct, frozen=True):
    """What to read, and how."""

    roots: list[Root]
    consent: Consent
    full: bool = False
    window: int = 8  # calls after a failure in which its fix is searched
    processes: int | None = 1  # None: as many as useful
    files: list[str] | None = None  # of all below the folders, only these
    clock: Callable[[], float] = time.time


class Progress(msgspec.Struct):
    """The progress of a scan, for a bar."""

    total: int
    done: int = 0
    files: int = 0
    step: str = "Reading"


Watch = Callable[[Progress], None]


OUTCOMES = ("ok", "failed", "refused", "cancelled", "interrupted", "unknown")


class Files(msgspec.Struct):
    """How many transcripts there were, and what happened to each."""

    found: int = 0
    read: int = 0
    unchanged: int = 0
    unreadable: int = 0
    foreign: int = 0  # of another agent


class Coverage(msgspec.Struct, rename="camel"):
    """The counts of one scan."""

    files: Files = msgspec.field(default_factory=Files)
    agents: dict[str, int] = msgspec.field(default_factory=dict)  # how many files of each were read
    bytes: int = 0
    records: int = 0
    malformed: int = 0
    duplicates: int = 0
    unknown_types: dict[str, int] = msgspec.field(default_factory=dict)
    calls: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(("total", *OUTCOMES), 0))
    segments: int = 0
    left_out: int = 0  # records that the user excluded from the history
    new_candidates: set[str] = msgspec.field(default_factory=set)
    updated_candidates: set[str] = msgspec.field(default_factory=set)
    recurring_candidates: set[str] = msgspec.field(default_factory=set)  # of both: now in several sessions
    call_numbers: set[int] = msgspec.field(default_factory=set)  # of the calls in the new records
    failed_segments: int = 0  # with a record that gave no rows
    mined: bool = False  # whether any session was mined
    problems: list[str] = msgspec.field(default_factory=list)  # a sentence for every file that could not be read
    seconds: float = 0.0

    @property
    def has_news(self) -> bool:
        """Whether the candidates may have changed."""
        return bool(self.files.read or self.mined)

    def count(self, batch: Batch) -> None:
        """Counts what was read, whether or not it is stored."""
        self.bytes += batch.end - batch.start
        for tally in (batch.tally, batch.unfinished):
            self.records += tally.records
            self.malformed += tally.malformed
            self.left_out += tally.left_out
            for name, number in tally.unknown_types.items():
                self.unknown_types[name] = self.unknown_types.get(name, 0) + number

    def count_stored(self, batch: Batch, written: Written) -> None:
        self.duplicates += written.duplicates
        self.segments += len(batch.segments)
        self.call_numbers.update(written.calls)
        self.failed_segments += len({number for number, _ in batch.failed})
        self.new_candidates |= written.new_candidates
        self.updated_candidates |= written.updated_candidates

    def document(self) -> dict[str, object]:
        """Returns the JSON document for other programs."""
        return {
            "files": msgspec.to_builtins(self.files),
            "agents": {name: {"read": number} for name, number in sorted(self.agents.items())},
            "bytes": self.bytes,
            "records": self.records,
            "malformed": self.malformed,
            "duplicates": self.duplicates,
            "unknownTypes": dict(sorted(self.unknown_types.items())),
            "calls": self.calls,
            "segments": self.segments,
            "leftOut": self.left_out,
            "candidates": {
                "new": len(self.new_candidates),
                "updated": len(self.updated_candidates - self.new_candidates),
            },
            "seconds": round(self.seconds, 3),
        }


class OwnDenials:
    """The calls that lessons denied, by the log of the hook; read when a transcript has any denial."""

    def __init__(self, history: History) -> None:
        self._history = history

    def take_out(self, part: Batch) -> None:
        """Makes refusals of the calls in `part` that a lesson denied; nobody is to learn from them."""
        denied = [row for row in part.results if row.by_hook]
        if not denied:
            return
        own = {row.tool_use_id for row in denied if row.tool_use_id in self._calls}
        own |= set(_by_time(part, [row for row in denied if row.tool_use_id not in own], self._times))
        for row in denied:
            if row.tool_use_id in own:
                row.outcome, row.error, row.error_fingerprint, row.by_hook = "refused", "", "", False
        part.diagnoses = [row for row in part.diagnoses if row.tool_use_id not in own]

    @cached_property
    def _logged(self) -> list[tuple[str, str, str]]:
        """Call, session and time of each denial, in the history and in the files that were not folded into it."""
        found = list(self._history.injections.denials().values())
        for line in injection_files.unfolded(self._history.home):
            if line.event.get("decision") in DENIALS:
                call, session, logged = (str(line.event.get(key) or "") for key in ("toolUseId", "session", "time"))
                found.append((plain_id(call), plain_id(session), logged))
        return list(dict.fromkeys(found))

    @cached_property
    def _calls(self) -> set[str]:
        return {call for call, _, _ in self._logged if call}

    @cached_property
    def _times(self) -> dict[str, list[str]]:
        """By session, when calls without an id were denied: some agents send none."""
        times: dict[str, list[str]] = {}
        for call, session, logged in self._logged:
            if not call:
                times.setdefault(session, []).append(logged)
        return times


def _by_time(part: Batch, denied: list[Result], times: dict[str, list[str]]) -> Iterator[str]:
    """Yields for each denial without an id the last denied call of its session that was made before it."""
    made = {call.tool_use_id: call.origin.time for call in part.calls}
    for session in {row.session_id for row in denied} & times.keys():
        calls = [row for row in denied if row.session_id == session]
        left = sorted((made.get(row.tool_use_id, row.ended), row.tool_use_id) for row in calls)
        for logged in sorted(times[session]):
            before = [each for each in left if each[0] <= logged]
            if before:
                left.remove(before[-1])
                yield before[-1][1]


# Each commit writes changed index pages once more: every 0.25 s a scan takes 5 % longer.
_COMMIT_SECONDS = 1.0


def scan(history: History, request: Request, watch: Watch = lambda progress: None) -> Coverage:
    """Reads what is new and looks for mistakes in every session that changed, also before an interrupted scan."""
    coverage = read(history, request, watch)
    began = time.monotonic()
    try:
        with history.transaction():
            history.progress.queue_due_sessions(request.clock())
        if not history.sessions_to_mine.is_empty(request.window):
            from lessons.scan.mine import mine

            watch(Progress(coverage.bytes, coverage.bytes, step="Looking for mistakes"))
            changed = mine(history, request.window, now=request.clock())
            coverage.new_candidates |= changed.new
            coverage.updated_candidates |= changed.updated
            coverage.recurring_candidates |= changed.recurring
            coverage.mined = True
    finally:
        coverage.seconds += time.monotonic() - began
    return coverage


def read(history: History, request: Request, watch: Watch = lambda progress: None) -> Coverage:
    """Reads what is new; whenever it ends, all that was read is stored and nothing else counts as read."""
    began = time.monotonic()
    reading = _Reading(history, request, watch)
    try:
        reading.run()
    finally:
        reading.coverage.seconds = time.monotonic() - began
    return reading.coverage


def changed_files(history: History, request: Request) -> Found:
    """The files in which something is new; reads none of them."""
    reading = _Reading(history, request, lambda progress: None)
    reading.mark_due()
    return reading.find()


class _Reading:
    """One pass over the files."""

    def __init__(self, history: History, request: Request, watch: Watch) -> None:
        self.history = history
        self.request = request
        self.watch = watch
        self.coverage = Coverage()
        self.agents: dict[str, str] = {}  # path -> who wrote it
        self.may_be_of: dict[str, tuple[str, ...]] = {}
        self.known: dict[str, SourceFile | None] = {}
        self.jobs: list[Job] = []
        self.sizes: dict[str, int] = {}
        self.held: dict[str, list[Batch]] = {}  # what may not be stored yet, by path
        self.stores: dict[str, tuple[str, FileState]] = {}  # those that have changed, as they were when looked at
        self.holders: dict[str, str] = {}  # session in a store -> the store
        self.own_denials = OwnDenials(history)
        self.progress = Progress(0)

    def run(self) -> None:
        self._plan()
        if self.jobs:
            self._read()
        # All that was found in these is read; one of which something could not be read is looked at again.
        with self.history.transaction():
            for path, (agent, state) in self.stores.items():
                self.history.sources.note_store(agent, path, state)

    def _read(self) -> None:
        self.progress.total = sum(self.sizes[job.path] for job in self.jobs)
        self.watch(self.progress)
        began = 0.0  # the transaction
        try:
            processes = self.request.processes or processes_for(self.progress.total)
            for done in read_files(self.request.consent, self.jobs, processes):
                if self.history.begin():
                    began = time.monotonic()
                if isinstance(done.part, Problem):
                    self._problem(done.path, done.part)
                else:
                    self._take(done.path, done.part)
                if time.monotonic() - began >= _COMMIT_SECONDS:
                    self.history.commit()
                self.watch(self.progress)
        except BaseException as fault:
            # Each part is written whole or not at all, so ^C loses nothing.
            self.history.commit() if isinstance(fault, KeyboardInterrupt) else self.history.rollback()
            raise
        self.history.commit()
        outcomes = self.history.calls.outcomes(self.coverage.call_numbers)
        self.coverage.calls = {"total": sum(outcomes.values()), **{name: outcomes.get(name, 0) for name in OUTCOMES}}

    def mark_due(self) -> None:
        """Has the files with a failed segment that is due for a retry read again."""
        if due := self.history.progress.due_sources(self.request.clock()):
            with self.history.transaction():
                self.history.sources.mark_for_rereading(due)

    def _plan(self) -> None:
        self.mark_due()
        found = self.find()
        self.coverage.files.found, self.coverage.files.unchanged = found.files, found.unchanged
        self.stores = dict(found.stores)
        for file in found.others:
            if file.state is None:
                self._unreadable(file.path, file.reason)
            else:
                self._plan_file(file, file.state)
        if self.request.full:
            with self.history.transaction():
                self.history.sources.mark_for_rereading([source.id for source in self.known.values() if source])
        # The largest first (they are taken from the end), so that no process is left alone with one.
        self.jobs.sort(key=lambda job: (self.sizes[job.path], job.path))

    def _plan_file(self, file: FoundFile, state: FileState) -> None:
        path = file.path
        self.may_be_of[path] = file.agents
        agent = self.history.sources.reader_of(path, file.agents) or self._recognised(path)
        if agent is None:
            return
        self.agents[path], self.holders[path] = agent, file.store
        source = self.known[path] = self.history.sources.latest(agent, path)
        known = Known(source.offset, source.head, source.tail, source.memory) if source else Known()
        # As long as before, but written since: what is in it may have changed.
        touched = source is not None and (state.size == source.state.size or source.is_to_be_reread)
        known.again = touched or self.request.full or bool(file.store)
        self.sizes[path] = max(0, state.size - (0 if known.again else known.offset))
        self.jobs.append(Job(agent, path, known, self.sizes[path]))

    def _recognised(self, path: str) -> str | None:
        """Who wrote it, by what is in it; None if that is unknown, which is counted."""
        agents = self.may_be_of[path]
        if len(agents) == 1:
            return agents[0]  # whoever reads it looks anyway
        found = whose(path, agents)
        if isinstance(found, Problem):
            self._problem(path, found)
        return found if isinstance(found, str) else None

    def find(self) -> Found:
        roots = self.request.roots
        agents = {agent for root in roots for agent in root.agents}

        def known() -> set[tuple[int, int, int]]:
            return set() if self.request.full else self.history.sources.fully_read(agents)

        if self.request.files is not None:
            return named_transcripts(self.request.files, roots, self._is_read, known)
        return transcripts(roots, known())

    def _is_read(self, path: str, state: FileState) -> bool:
        agent = self.history.sources.reader_of(path, agents_of(path, self.request.roots))
        source = self.history.sources.latest(agent, path) if agent else None
        return source is not None and source.offset > 0 and source.state == state

    def _take(self, path: str, part: Batch) -> None:
        self.coverage.count(part)
        if part.withheld:
            # Nothing of the file may be stored so far; should that change, its beginning is needed.
            self.held.setdefault(path, []).append(part)
        else:
            for batch in (*self.held.pop(path, []), part):
                self._store(path, batch)
        self.progress.done += part.end - part.start
        if part.state is None:
            return
        agent = self.agents[path]
        if self.held.pop(path, None):
            self.history.sources.withhold(agent, path, part.state)
        self.coverage.files.read += 1
        self.coverage.agents[agent] = self.coverage.agents.get(agent, 0) + 1
        self.progress.files += 1
        self.known.pop(path, None)  # about a kilobyte a file, and there may be tens of thousands of files

    def _store(self, path: str, batch: Batch) -> None:
        """Leaves out a record that the tables cannot hold; its segment is tried again later."""
        source = self.known.get(path)
        try:
            self._write(path, batch)
        except NotStorable:
            from lessons.scan.read import without_rows

            for part in self._one_by_one(path, batch, source):
                try:
                    self._write(path, part)
                except NotStorable as fault:
                    self._write(path, without_rows(part, str(fault)))

    def _one_by_one(self, path: str, batch: Batch, source: SourceFile | None) -> Iterator[Batch]:
        """Reads what is in the batch again, record by record."""
        from lessons.scan.read import FileReader

        known = Known(one_by_one=True)
        if source and batch.start:
            known = Known(source.offset, source.head, source.tail, source.memory, one_by_one=True)
        for part in FileReader(self.request.consent).parts(Job(self.agents[path], path, known)):
            if isinstance(part, Problem):
                return
            if part.start >= batch.start:
                yield part
            if part.end >= batch.end and (batch.state is None or part.state is not None):
                return

    def _write(self, path: str, batch: Batch) -> None:
        source = before = self.known.get(path)
        agent = self.agents[path]
        try:
            with self.history.storing():
                if source is None:
                    self.history.sources.allow(agent, path)
                    source = self.known[path] = self.history.sources.add(agent, path)
                elif batch.start == 0:
                    self.history.sources.restart(source)
                self.own_denials.take_out(batch)
                written = self.history.write(source, batch, self.request.clock())
        except NotStorable:
            self.known[path] = before  # a new one was taken back with the rest
            raise
        self.coverage.count_stored(batch, written)

    def _problem(self, path: str, problem: Problem) -> None:
        match problem.reason:
            case Reason.REPLACED:  # another agent may have written what is there now
                agent = self._recognised(path)
                if agent is not None:
                    self.agents[path], self.known[path] = agent, self.history.sources.add(agent, path)
                    self.jobs.append(Job(agent, path, Known(), self.sizes[path]))
            case Reason.FOREIGN:
                self.coverage.files.foreign += 1
            case Reason.UNCLEAR:
                self.coverage.files.read += 1
            case Reason.GONE:
                self.coverage.files.found -= 1  # agents delete old transcripts, also while one looks at them
            case Reason.UNREADABLE:
                self._unreadable(path, problem.message)

    def _unreadable(self, path: str, reason: str) -> None:
        self.coverage.files.unreadable += 1
        self.coverage.problems.append(f"{path} could not be read ({reason}).")
        self.stores.pop(self.holders.get(path, ""), None)
