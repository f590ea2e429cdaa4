"""Reads what is new in a transcript file, as batches of rows."""

from collections.abc import Iterator

import msgspec

from lessons.agents.base import NotOurs, Store
from lessons.agents.follow import OpenTranscript, Stretch
from lessons.agents.object_lines import Reader
from lessons.agents.table import reader_of, store_of
from lessons.scan.extract import Extraction
from lessons.scan.memory import Memory, memory_from
from lessons.scan.project import Projects
from lessons.scan.workers import Job, Known, Problem, Reason
from lessons.store.consent import Consent
from lessons.store.history.rows import Batch, FileState
from lessons.store.logs import describe_fault as describe

_BATCH_BYTES = 4 << 20


class NotRead(Exception):
    """The file is not a transcript of this agent, or not the one that was read before."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason


class FileReader:
    """Reads one file after the other; caches looked-up folders."""

    def __init__(self, consent: Consent) -> None:
        self.consent = consent
        self.projects = Projects()

    def parts(self, job: Job) -> Iterator[Batch | Problem]:
        try:
            yield from self._batches(job)
        except NotRead as fault:
            yield Problem(fault.reason)
        except NotOurs:
            yield Problem(Reason.FOREIGN)
        except FileNotFoundError:
            yield Problem(Reason.GONE)
        except OSError as fault:
            yield Problem(Reason.UNREADABLE, fault.strerror or str(fault))
        except Exception as fault:  # a bug must not prevent reading the other files
            yield Problem(Reason.UNREADABLE, describe(fault))

    def _batches(self, job: Job) -> Iterator[Batch]:
        reader, store = reader_of(job.agent), store_of(job.agent)
        if store and store.store_of(job.path):
            stem = reader.stem(job.path)
            return whole_batches(store, stem, job.path, job.known, self.projects, self.consent)
        return batches(reader, job.path, job.known, self.projects, self.consent)


def batches(reader: Reader, path: str, known: Known, projects: Projects, consent: Consent) -> Iterator[Batch]:
    """Continues where the last read ended; the last batch has the state of the file at the start."""
    with OpenTranscript(reader, path) as file:
        status = file.status
        _check(file, known)
        memory = _memory(known)
        start = known.offset if memory else 0
        extraction = Extraction(reader.stem(path), memory or Memory(), projects, consent)
        batch = extraction.begin(start)
        for stretch in _lines(file, start) if known.one_by_one else file.stretches(start):
            if not stretch.finished:
                extraction.take_unfinished(stretch.records())
                break
            extraction.take(stretch.records())
            batch.end = stretch.end
            if known.one_by_one or batch.end - batch.start >= _BATCH_BYTES:
                yield _sealed(batch, extraction, status.st_mtime_ns, file)
                batch = extraction.begin(batch.end)
        batch.state = FileState(status.st_ino, status.st_size, status.st_mtime_ns)
        yield _sealed(batch, extraction, status.st_mtime_ns, file)


def whole_batches(
    store: Store, stem: str, path: str, known: Known, projects: Projects, consent: Consent
) -> Iterator[Batch]:
    """Reads everything, however much was read before: known records are recognised by their keys."""
    with store.snapshot(path) as found:
        extraction = Extraction(stem, Memory(), projects, consent)
        batch = extraction.begin(0)
        for piece in found.pieces:
            extraction.take(piece.records)
            batch.end += max(1, piece.size)
            if known.one_by_one or batch.end - batch.start >= _BATCH_BYTES:
                yield _sealed(batch, extraction, found.state.modified)
                batch = extraction.begin(batch.end)
        batch.end = max(1, batch.end)  # an empty session would not count as read
        batch.state = found.state
        yield _sealed(batch, extraction, found.state.modified)


def without_rows(part: Batch, reason: str) -> Batch:
    """Replaces a batch that cannot be stored by the same range marked as read, with nothing stored."""
    number = msgspec.json.decode(part.memory, type=Memory).segment
    kept = ("start", "end", "head", "tail", "memory", "state", "modified", "segments")
    return Batch(**{name: getattr(part, name) for name in kept}, failed=[(number, reason)])


def _lines(file: OpenTranscript, start: int) -> Iterator[Stretch]:
    """Yields every line separately."""
    for stretch in file.stretches(start):
        if stretch.data is None or not stretch.finished:
            yield stretch
            continue
        position = stretch.position
        for line in stretch.data[:-1].split(b"\n"):
            end = position + len(line) + 1
            yield stretch._replace(position=position, data=line + b"\n", end=end)
            position = end


def _memory(known: Known) -> Memory | None:
    memory = memory_from(known.memory)
    if known.again or not memory:
        return None
    if not known.offset:
        # It is unknown whether this is still the same file; only an unfinished first line may have been read before.
        return Memory(unfinished_key=memory.unfinished_key)
    return memory


def _sealed(batch: Batch, extraction: Extraction, modified: int, file: OpenTranscript | None = None) -> Batch:
    if file is not None:
        batch.head, batch.tail = file.digests(batch.end)
    batch.modified = modified
    batch.memory = extraction.permission.stored_memory()
    batch.withheld = extraction.memory.refused and not extraction.memory.allowed
    return batch


def _check(file: OpenTranscript, known: Known) -> None:
    if not known.offset:
        found = file.is_recognised()
        if not found:
            raise NotRead(Reason.UNCLEAR if found is None else Reason.FOREIGN)
    elif file.digests(known.offset) != (known.head, known.tail):
        raise NotRead(Reason.REPLACED)
