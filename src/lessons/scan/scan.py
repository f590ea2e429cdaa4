"""Reads everything new in folders of transcripts into the history, and counts what was read."""

import os
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from lessons import paths
from lessons.agents.names import plain_id
from lessons.scan.discover import Found, FoundFile, Root, agents_of, named_transcripts, transcripts, whose
from lessons.scan.workers import Done, Job, Known, Problem, Processes, Reason
from lessons.store import injection_files
from lessons.store.consent import Consent
from lessons.store.history.database import NotStorable
from lessons.store.history.history import History
from lessons.store.history.injections import DENIALS
from lessons.store.history.rows import Batch, FileState, Result, Tally
from lessons.store.history.sources import Source
from lessons.store.history.writer import Written

if TYPE_CHECKING:
    from lessons.scan.mine import Changed


class Request(msgspec.Struct, frozen=True):
    """What to read, and how."""

    roots: list[Root]
    consent: Consent
    full: bool = False
    window: int = 8  # calls after a failure in which its fix is searched
    processes: Callable[[int], int] = lambda size: 1  # how many, for this many bytes
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
    sessions: set[str] = msgspec.field(default_factory=set)  # mentioned in the new records
    call_numbers: set[int] = msgspec.field(default_factory=set)  # of the calls in the new records
    unreadable: set[str] = msgspec.field(default_factory=set)  # paths
    failed_segments: int = 0  # with a record that gave no rows
    mined: bool = False  # whether any session was mined
    problems: list[str] = msgspec.field(default_factory=list)  # a sentence for every file that could not be read
    seconds: float = 0.0

    @property
    def has_news(self) -> bool:
        """Whether the candidates may have changed."""
        return bool(self.files.read or self.mined)

    def merge(self, other: "Coverage") -> None:
        """Adds the counts of another read; both may include the same file."""
        for name in Files.__struct_fields__:
            setattr(self.files, name, getattr(self.files, name) + getattr(other.files, name))
        counts = ("bytes", "records", "malformed", "duplicates", "segments", "left_out", "failed_segments", "seconds")
        for name in counts:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("agents", "unknown_types", "calls"):
            own = getattr(self, name)
            for key, number in getattr(other, name).items():
                own[key] = own.get(key, 0) + number
        for name in ("sessions", "call_numbers", "unreadable", "new_candidates", "updated_candidates"):
            getattr(self, name).update(getattr(other, name))
        self.problems += other.problems

    def file_read(self, agent: str) -> None:
        """Counts a transcript of this agent that was read to its end."""
        self.files.read += 1
        self.agents[agent] = self.agents.get(agent, 0) + 1

    def pass_over(self, batch: Batch) -> None:
        """Counts a batch of which nothing was stored."""
        self.bytes += batch.end - batch.start
        self._count(batch.tally)
        self._count(batch.unfinished)

    def add(self, batch: Batch, written: Written) -> None:
        self.bytes += batch.end - batch.start
        self.duplicates += written.duplicates
        self.segments += len(batch.segments)
        self.sessions.update(batch.sessions)
        self.failed_segments += len({number for number, _ in batch.failed})
        self.new_candidates |= written.new_candidates
        self.updated_candidates |= written.updated_candidates
        self._count(batch.tally)
        self._count(batch.unfinished)

    def count_outcomes(self, outcomes: dict[str, int]) -> None:
        """Sets the number of calls for each outcome."""
        self.calls = {"total": sum(outcomes.values()), **{name: outcomes.get(name, 0) for name in OUTCOMES}}

    def mined_candidates(self, changed: "Changed") -> None:
        """Adds the candidates that mining made."""
        self.new_candidates |= changed.new
        self.updated_candidates |= changed.updated
        self.recurring_candidates |= changed.recurring
        self.mined = True

    def _count(self, tally: Tally) -> None:
        self.records += tally.records
        self.malformed += tally.malformed
        self.left_out += tally.left_out
        for name, number in tally.unknown_types.items():
            self.unknown_types[name] = self.unknown_types.get(name, 0) + number

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


class _Denials(NamedTuple):
    """The calls that lessons denied, and for agents that send no ids, the times by session."""

    calls: set[str]
    times: dict[str, list[str]]


class OwnDenials:
    """The denials in the log of the hook, read when a transcript has any."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._files: list[tuple[str, int]] | None = None
        self._found = _Denials(set(), {})

    def take_out(self, part: Batch) -> None:
        """Makes refusals of the calls in `part` that a lesson denied; nobody is to learn from them."""
        denied = [row for row in part.results if row.by_hook]
        if not denied:
            return
        known = self._logged()
        own = {row.tool_use_id for row in denied if row.tool_use_id in known.calls}
        own |= set(_by_time(part, [row for row in denied if row.tool_use_id not in own], known.times))
        for row in denied:
            if row.tool_use_id in own:
                row.outcome, row.error, row.error_fingerprint, row.by_hook = "refused", "", "", False
        if own:
            part.diagnoses = [row for row in part.diagnoses if row.tool_use_id not in own]

    def _logged(self) -> _Denials:
        """Returns what the history and the files of the log have; reads them again if a file has changed."""
        home = self._history.home
        files = [(path, _size(path)) for path in (*injection_files.rotated(home), paths.injections_file(home))]
        if files != self._files:
            self._files, self._found = files, self._read(home)
        return self._found

    def _read(self, home: str) -> _Denials:
        found = _Denials(set(), {})
        lines = self._history.injections.denials() | _in_files(home)  # a file is kept after it was folded
        for call, session, logged in lines.values():
            if call:
                found.calls.add(call)
            else:
                found.times.setdefault(session, []).append(logged)
        return found


def _in_files(home: str) -> dict[int, tuple[str, str, str]]:
    found = {}
    for line in injection_files.unfolded(home):
        if line.event.get("decision") in DENIALS:
            call, session, logged = (str(line.event.get(key) or "") for key in ("toolUseId", "session", "time"))
            found[line.key] = (plain_id(call), plain_id(session), logged)
    return found


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


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return -1


# Each commit writes changed index pages once more: every 0.25 s a scan takes 5 % longer.
_COMMIT_SECONDS = 1.0


def scan(history: History, request: Request, watch: Watch = lambda progress: None) -> Coverage:
    """Read what is new and look for mistakes in it."""
    with Processes(request.consent) as processes:
        coverage = _read(history, request, watch, processes)
        began = time.monotonic()
        try:
            _mine(history, request, coverage, processes, watch)
        finally:
            coverage.seconds += time.monotonic() - began
    return coverage


def read(history: History, request: Request, watch: Watch = lambda progress: None) -> Coverage:
    """Read what is new; whenever it ends, all that was read is stored and nothing else counts as read."""
    with Processes(request.consent) as processes:
        return _read(history, request, watch, processes)


def _read(history: History, request: Request, watch: Watch, processes: Processes) -> Coverage:
    began = time.monotonic()
    scanning = _Scan(history, request, watch)
    try:
        scanning.run(processes)
    finally:
        scanning.coverage.seconds = time.monotonic() - began
    return scanning.coverage


def changed(history: History, request: Request) -> Found:
    """The files in which something is new; reads none of them."""
    scanning = _Scan(history, request, lambda progress: None)
    scanning.mark_due()
    return scanning.find()


def _mine(history: History, request: Request, coverage: Coverage, processes: Processes, watch: Watch) -> None:
    """Look for mistakes in every session that changed; also in those that an interrupted scan has read."""
    with history.transaction():
        history.progress.queue_due_sessions(request.clock())
    if not history.sessions_to_mine.is_empty(request.window):
        from lessons.scan.mine import mine

        watch(Progress(coverage.bytes, coverage.bytes, step="Looking for mistakes"))
        coverage.mined_candidates(mine(history, request.window, now=request.clock(), mine_threads=processes.mine))


class _Scan:
    """One scan under way."""

    def __init__(self, history: History, request: Request, watch: Watch) -> None:
        self.history = history
        self.request = request
        self.watch = watch
        self.coverage = Coverage()
        self.agents: dict[str, str] = {}  # path -> who wrote it
        self.may_be_of: dict[str, tuple[str, ...]] = {}
        self.known: dict[str, Source | None] = {}
        self.jobs: list[Job] = []
        self.sizes: dict[str, int] = {}
        self.reached: dict[str, Known] = {}  # how far each file of this scan is stored
        self.broken: set[str] = set()  # files that gave something that cannot be written
        self.one_by_one: set[str] = set()  # of these, those that are read record by record now
        self.held: dict[str, list[Batch]] = {}
        self.stores: dict[str, tuple[str, FileState]] = {}  # those that have changed, as they were when looked at
        self.holders: dict[str, str] = {}  # session in a store -> the store
        self.own_denials = OwnDenials(history)
        self.transaction_began = 0.0

    def run(self, processes: Processes) -> None:
        self._plan()
        if self.jobs:
            self._read(processes)
        self._note_stores()

    def _read(self, processes: Processes) -> None:
        self.progress = Progress(sum(self.sizes[job.path] for job in self.jobs))
        self.watch(self.progress)
        try:
            for done in processes.read(self.jobs, self.request.processes(self.progress.total)):
                self._begin()
                self._take(done)
                self._commit_in_time()
                self.watch(self.progress)
        except BaseException as fault:
            # Each part is written whole or not at all, so ^C loses nothing.
            self.history.commit() if isinstance(fault, KeyboardInterrupt) else self.history.rollback()
            raise
        self.history.commit()
        self._count_calls()

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
            mine = [source.id for source in self.known.values() if source]
            with self.history.transaction():
                self.history.sources.mark_for_rereading(mine)
        # The largest first (they are taken from the end), so that no process is left alone with one.
        self.jobs.sort(key=lambda job: (self.sizes[job.path], job.path))

    def _plan_file(self, file: FoundFile, state: FileState) -> None:
        self.may_be_of[file.path] = file.agents
        agent = self.history.sources.reader_of(file.path, file.agents) or self._recognised(file.path)
        if agent is not None:
            self.agents[file.path], self.holders[file.path] = agent, file.store
            self.jobs.append(self._job(file.path, state, self.history.sources.latest(agent, file.path)))

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
        roots, is_full = self.request.roots, self.request.full
        agents = {agent for root in roots for agent in root.agents}

        def known() -> set[tuple[int, int, int]]:
            return set() if is_full else self.history.sources.fully_read(agents)

        if self.request.files is not None:
            return named_transcripts(self.request.files, roots, self._is_read, known)
        return transcripts(roots, known())

    def _is_read(self, path: str, state: FileState) -> bool:
        agent = self.history.sources.reader_of(path, agents_of(path, self.request.roots))
        source = self.history.sources.latest(agent, path) if agent else None
        return source is not None and source.offset > 0 and source.state == state

    def _job(self, path: str, state: FileState, source: Source | None) -> Job:
        self.known[path] = source
        known = Known(source.offset, source.head, source.tail, source.memory) if source else Known()
        # As long as before, but written since: what is in it may have changed.
        touched = source is not None and (state.size == source.state.size or source.is_to_be_reread)
        known.again = touched or self.request.full or bool(self.holders[path])
        self.reached[path] = known
        self.sizes[path] = max(0, state.size - (0 if known.again else known.offset))
        return Job(self.agents[path], path, known, self.sizes[path])

    def _take(self, done: Done) -> None:
        part = done.part
        if isinstance(part, Problem):
            self._problem(done.path, part)
        elif done.path not in self.broken:
            self._take_part(done.path, part)
        if done.last and done.path in self.broken:
            self._read_one_by_one(done.path)
        elif isinstance(part, Batch) and part.state is not None:
            # Not needed any more: about a kilobyte a file, and there may be tens of thousands of files.
            self.reached.pop(done.path, None)
            self.known.pop(done.path, None)

    def _take_part(self, path: str, part: Batch) -> None:
        """What cannot be written is a problem of its segment; neither of its file, nor of the others."""
        source = self.known.get(path)
        try:
            with self.history.storing():
                self._keep(path, part)
        except NotStorable as fault:
            self.known[path] = source  # a new one was taken back with the rest
            if path not in self.one_by_one:
                self.broken.add(path)
                return
            from lessons.scan.read import without_rows

            with self.history.storing():
                self._keep(path, without_rows(part, str(fault)))

    def _read_one_by_one(self, path: str) -> None:
        """From where it is stored, so that only the record that cannot be written is left out."""
        self.broken.discard(path)
        if path in self.one_by_one:
            return
        self.one_by_one.add(path)
        known = self.reached[path]
        again = msgspec.structs.replace(known, one_by_one=True)
        self.jobs.append(Job(self.agents[path], path, again, here=True))

    def _keep(self, path: str, part: Batch) -> None:
        if part.withheld:
            self._hold(path, part)
        else:
            for held in self.held.pop(path, []):
                self._store(path, held)
            self.coverage.add(part, self._store(path, part))
        self.progress.done += part.end - part.start
        if part.state is not None:
            self.coverage.file_read(self.agents[path])
            self.progress.files += 1

    def _hold(self, path: str, part: Batch) -> None:
        """Nothing of the file may be stored so far; should that change, its beginning is needed."""
        self.held.setdefault(path, []).append(part)
        self.coverage.pass_over(part)
        if part.state is not None:
            del self.held[path]
            self.history.sources.withhold(self.agents[path], path, part.state)

    def _store(self, path: str, part: Batch) -> Written:
        source = self.known.get(path)
        if source is None:
            self.history.sources.allow(self.agents[path], path)
            source = self.known[path] = self.history.sources.add(self.agents[path], path)
        elif part.start == 0:
            self.history.sources.restart(source)
        self.own_denials.take_out(part)
        written = self.history.write(source, part, self.request.clock())
        self.reached[path] = Known(part.end, part.head, part.tail, part.memory)
        self.coverage.call_numbers.update(written.calls)
        return written

    def _problem(self, path: str, problem: Problem) -> None:
        match problem.reason:
            case Reason.REPLACED:
                self._replaced(path)
            case Reason.FOREIGN:
                self.coverage.files.foreign += 1
            case Reason.UNCLEAR:
                self.coverage.files.read += 1
            case Reason.GONE:
                self.coverage.files.found -= 1  # agents delete old transcripts, also while one looks at them
            case Reason.UNREADABLE:
                self._unreadable(path, problem.message)

    def _replaced(self, path: str) -> None:
        """Another agent may have written what is there now."""
        agent = self._recognised(path)
        if agent is not None:
            self.agents[path] = agent
            self.known[path] = self.history.sources.add(agent, path)
            self.reached[path] = Known()
            self.jobs.append(Job(agent, path, Known(), self.sizes[path]))

    def _unreadable(self, path: str, reason: str) -> None:
        self.coverage.files.unreadable += 1
        self.coverage.unreadable.add(path)
        self.coverage.problems.append(f"{path} could not be read ({reason}).")
        self.stores.pop(self.holders.get(path, ""), None)

    def _note_stores(self) -> None:
        """All that was found in these is read; one of which something could not be read is looked at again."""
        with self.history.transaction():
            for path, (agent, state) in self.stores.items():
                self.history.sources.note_store(agent, path, state)

    def _begin(self) -> None:
        if self.history.begin():
            self.transaction_began = time.monotonic()

    def _commit_in_time(self) -> None:
        if time.monotonic() - self.transaction_began >= _COMMIT_SECONDS:
            self.history.commit()

    def _count_calls(self) -> None:
        """The outcomes of the calls that were read, by what is known now."""
        self.coverage.count_outcomes(self.history.calls.outcomes(self.coverage.call_numbers))
