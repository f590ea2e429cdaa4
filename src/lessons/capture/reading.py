"""Reads what is new in a transcript file, as batches of rows."""

import os
from collections.abc import Iterator

from lessons.agents.base import Reader
from lessons.agents.follow import OpenTranscript, Stretch
from lessons.agents.whole import Store
from lessons.capture.extract import Extraction
from lessons.capture.jobs import Known
from lessons.capture.memory import Memory, memory_from
from lessons.capture.project import Projects
from lessons.store.consent import Consent
from lessons.store.history.rows import Batch, FileState

_BATCH_BYTES = 4 << 20


class Foreign(Exception):
    """The file is not a transcript of this agent."""


class Unclear(Exception):
    """There is nothing readable in the file yet."""


class Replaced(Exception):
    """The file is not the one that was read before: it must be read from its beginning, as a new one."""


def state_of(status: os.stat_result) -> FileState:
    return FileState(status.st_ino, status.st_size, status.st_mtime_ns)


def batches(reader: Reader, path: str, known: Known, projects: Projects, consent: Consent) -> Iterator[Batch]:
    """Continues where the last read ended; the last batch has the state of the file at the start."""
    with OpenTranscript(reader, path) as file:
        state = state_of(file.status)
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
                yield _sealed(batch, file, extraction)
                batch = extraction.begin(batch.end)
        batch.state = state
        yield _sealed(batch, file, extraction)


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
                yield _sealed_whole(batch, extraction, found.state.modified)
                batch = extraction.begin(batch.end)
        batch.end = max(1, batch.end)  # an empty session would not count as read
        batch.state = found.state
        yield _sealed_whole(batch, extraction, found.state.modified)


def _sealed_whole(batch: Batch, extraction: Extraction, modified: int) -> Batch:
    batch.modified = modified
    return _with_memory(batch, extraction)


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


def _sealed(batch: Batch, file: OpenTranscript, extraction: Extraction) -> Batch:
    batch.head, batch.tail = file.digests(batch.end)
    batch.modified = file.status.st_mtime_ns
    return _with_memory(batch, extraction)


def _with_memory(batch: Batch, extraction: Extraction) -> Batch:
    batch.memory = extraction.permission.stored_memory()
    batch.withheld = extraction.memory.refused and not extraction.memory.allowed
    return batch


def _check(file: OpenTranscript, known: Known) -> None:
    if not known.offset:
        found = file.is_recognised()
        if not found:
            raise Unclear if found is None else Foreign
    elif file.digests(known.offset) != (known.head, known.tail):
        raise Replaced
