"""A transcript file and how far it is known in, batches of rows for everything after that out."""

import os
from collections.abc import Iterator
from hashlib import blake2b

from lessons.agents.base import Reader
from lessons.agents.lines import blocks_of
from lessons.capture.consent import Consent
from lessons.capture.extract import Extraction
from lessons.capture.jobs import Known
from lessons.capture.memory import Memory, memory_from
from lessons.capture.project import Projects
from lessons.store.history.rows import Batch, FileState
from lessons.system import O_BINARY, read_at

_BATCH_BYTES = 4 << 20
_SNIFFED = 1 << 16
_SNIFFED_AT_MOST = 8 << 20
_CHECKED = 4096  # bytes at either end by which a replaced file is told


class Foreign(Exception):
    """The file is not a transcript of this agent."""


class Unclear(Exception):
    """There is nothing in the file yet that could be read."""


class Replaced(Exception):
    """The file is not the one that was read before: it must be read from its beginning, as a new one."""


def state_of(status: os.stat_result) -> FileState:
    return FileState(status.st_ino, status.st_size, status.st_mtime_ns)


def batches(reader: Reader, path: str, known: Known, projects: Projects, consent: Consent) -> Iterator[Batch]:
    """Read on from where it ended; the last batch carries the state that the file had at the beginning."""
    descriptor = os.open(path, os.O_RDONLY | O_BINARY)
    try:
        state = state_of(os.fstat(descriptor))
        _check(reader, descriptor, known, state.size)
        memory = _memory(known)
        start = known.offset if memory else 0
        extraction = Extraction(reader, path, memory or Memory(), projects, consent)
        batch = extraction.begin(start)
        for position, data, end, finished in blocks_of(descriptor, start, state.size):
            if not finished:
                _take_unfinished(extraction, data, position)
                break
            if data is None:
                extraction.damaged(position, end - position)
            else:
                extraction.take_block(data, position)
            batch.end = end
            if end - batch.start >= _BATCH_BYTES:
                yield _sealed(batch, descriptor, extraction)
                batch = extraction.begin(end)
        batch.state = state
        yield _sealed(batch, descriptor, extraction)
    finally:
        os.close(descriptor)


def _memory(known: Known) -> Memory | None:
    memory = memory_from(known.memory)
    if known.again or not memory:
        return None
    if not known.offset:
        # Nothing tells whether this is still the same file; an unfinished first line may have been met, no more.
        return Memory(unfinished_key=memory.unfinished_key)
    return memory


def _take_unfinished(extraction: Extraction, data: bytes | None, position: int) -> None:
    """A last line without an end is read if it is complete, and read again when the file grows: its uuid tells."""
    text = data.strip() if data else b""
    if text.startswith(b"{") and text.endswith(b"}"):
        extraction.take_unfinished(text, position)


def _sealed(batch: Batch, descriptor: int, extraction: Extraction) -> Batch:
    batch.head = _digest(descriptor, 0, min(_CHECKED, batch.end))
    batch.tail = _digest(descriptor, max(0, batch.end - _CHECKED), batch.end)
    batch.memory = extraction.memory.text()
    batch.withheld = extraction.memory.refused and not extraction.memory.allowed
    return batch


def _recognised(reader: Reader, descriptor: int, size: int) -> bool | None:
    """By its first lines, nearly always by the very first; None for a file that cannot be told yet."""
    data = read_at(descriptor, _SNIFFED, 0)
    whole = data[: data.rfind(b"\n") + 1]
    if whole and reader.recognises((whole,)):
        return True
    return reader.recognises(_beginning(descriptor, size))


def _beginning(descriptor: int, size: int) -> Iterator[bytes]:
    for position, data, _, _ in blocks_of(descriptor, 0, size):
        if position >= _SNIFFED_AT_MOST:
            return
        if data is not None:
            yield data


def _check(reader: Reader, descriptor: int, known: Known, size: int) -> None:
    if not known.offset:
        found = _recognised(reader, descriptor, size)
        if not found:
            raise Unclear if found is None else Foreign
        return
    head = min(_CHECKED, known.offset)
    if _digest(descriptor, 0, head) != known.head:
        raise Replaced
    if _digest(descriptor, max(0, known.offset - _CHECKED), known.offset) != known.tail:
        raise Replaced


def _digest(descriptor: int, start: int, end: int) -> bytes:
    return blake2b(read_at(descriptor, end - start, start), digest_size=12).digest()
