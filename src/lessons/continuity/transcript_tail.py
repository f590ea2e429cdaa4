"""A transcript and what is known of it in, what the session did up to its end, and what of that was new, out."""

import os
import stat
from collections.abc import Iterator
from copy import copy
from datetime import datetime
from hashlib import blake2b

from lessons.agents.base import Record
from lessons.agents.claude_code.transcript import Transcripts
from lessons.agents.lines import blocks_of
from lessons.continuity.session_follower import Derived, Look
from lessons.session import Work
from lessons.system import O_BINARY, read_at

# More than that is not read at once: a compaction waits for it.
MOST = 16 * 1024 * 1024
_CHECKED = 1_024
_STEP = 1 << 16
_READER = Transcripts(all_texts=True)


def read_on(work: Work, transcript: str, now: datetime, root: str = "") -> tuple[Work, Derived]:
    """Reads whole lines from `work.offset` on; of another file, or of one that was cut, from its beginning.

    What lies more than MOST before the end is passed over and counted in `skipped`.
    """
    try:
        if not stat.S_ISREG(os.stat(transcript).st_mode):
            return work, Derived(unreadable="is no plain file")
        descriptor = os.open(transcript, os.O_RDONLY | O_BINARY)
    except OSError as fault:
        return work, Derived(unreadable=f"cannot be read ({fault.strerror})")
    try:
        return _read(work, transcript, descriptor, now, root)
    finally:
        os.close(descriptor)


def _read(work: Work, transcript: str, descriptor: int, now: datetime, root: str) -> tuple[Work, Derived]:
    status = os.fstat(descriptor)
    size = status.st_size
    is_known = work.offset <= size and work.file_id == _identity(descriptor, status, work.offset)
    work = copy(work) if is_known else Work()
    work.file = transcript
    if size - work.offset > MOST:
        start = _next_line(descriptor, size - MOST, size)
        work.skipped += start - work.offset
        work.offset = start
    look = Look(work, root, now)
    start = work.offset
    for position, data, end, finished in blocks_of(descriptor, start, size):
        if not finished:
            break
        for record in _records(data, position) if data is not None else ():
            look.take(record)
        work.offset = end
    work.file_id = _identity(descriptor, status, work.offset)
    look.derived.bytes_read = work.offset - start
    return work, look.derived


def _records(data: bytes, position: int) -> Iterator[Record]:
    """All that can be read in some whole lines."""
    sound = _READER.sound_records(data, position)
    if sound is not None:
        yield from sound
        return
    alone = data.find(b"\n") == len(data) - 1  # and may be very long: not to be copied
    for line in (data,) if alone else data.split(b"\n"):
        if line and not line.isspace():
            yield from (record for record in _READER.records(line, position) if record is not None)
        position += len(line) + 1


def _next_line(descriptor: int, position: int, size: int) -> int:
    """Where the first line begins that has not begun before this position."""
    at = position - 1
    while at < size:
        piece = read_at(descriptor, _STEP, at)
        found = piece.find(b"\n")
        if found >= 0:
            return at + found + 1
        if not piece:
            break
        at += len(piece)
    return size


def _identity(descriptor: int, status: os.stat_result, offset: int) -> str:
    """By the file itself, and by what stands at its beginning and before where it was read to."""
    head = read_at(descriptor, min(_CHECKED, offset), 0)
    tail = read_at(descriptor, min(_CHECKED, offset), max(0, offset - _CHECKED))
    return f"{status.st_dev:x}:{status.st_ino:x}:{blake2b(head + tail, digest_size=12).hexdigest()}"
