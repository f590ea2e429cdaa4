"""Reads what was added to a transcript since the last time, and what the session did there."""

from collections.abc import Callable
from copy import copy
from datetime import datetime

from lessons.agents.base import Line
from lessons.agents.follow import Damaged, NotPlainFile, OpenTranscript
from lessons.agents.table import DEFAULT_AGENT, full_reader_of, store_of
from lessons.agents.whole import NotOurs, Store
from lessons.continuity.session_follower import NewSinceLast, SessionFollower
from lessons.session import Work

# Limit for one read, because a compaction waits for it.
MOST_BYTES = 16 * 1024 * 1024


def read_tail(
    work: Work,
    transcript: str,
    now: datetime,
    root: str = "",
    agent: str = DEFAULT_AGENT,
    refuses: Callable[[Line], bool] | None = None,
) -> tuple[Work, NewSinceLast]:
    """Reads whole lines from `work.offset` on; starts over for another or a truncated file.

    Skips what is more than MOST_BYTES before the end, and counts it in `skipped`. Also skips records that `refuses`
    rejects.
    """
    store = store_of(agent, all_texts=True)
    try:
        if store and store.store_of(transcript):
            return _read_whole(work, store, agent, transcript, now, root, refuses)
        with OpenTranscript(full_reader_of(agent), transcript) as file:
            return _read(work, transcript, file, now, root, refuses)
    except NotPlainFile:
        return work, NewSinceLast(unreadable="is not a regular file")
    except OSError as fault:
        return work, NewSinceLast(unreadable=f"cannot be read ({fault.strerror})")


def _read_whole(
    work: Work,
    store: Store,
    agent: str,
    transcript: str,
    now: datetime,
    root: str,
    refuses: Callable[[Line], bool] | None,
) -> tuple[Work, NewSinceLast]:
    """Reads all of a source that is not a file of lines, unless it is unchanged."""
    try:
        with store.snapshot(transcript) as found:
            identity = f"{found.state.inode:x}:{found.state.size:x}:{found.state.modified:x}"
            if work.file == transcript and work.file_id == identity:
                return work, NewSinceLast()
            work = Work()
            work.file, work.file_id = transcript, identity
            follower = SessionFollower(full_reader_of(agent), work, root, now, refuses)
            for piece in found.pieces:
                for record in piece.records:
                    if not isinstance(record, Damaged):
                        follower.take(record)
                work.offset += piece.size
            follower.new.bytes_read = work.offset
            return work, follower.new
    except NotOurs:
        return work, NewSinceLast(unreadable="is not a session of this agent")


def _read(
    work: Work,
    transcript: str,
    file: OpenTranscript,
    now: datetime,
    root: str,
    refuses: Callable[[Line], bool] | None,
) -> tuple[Work, NewSinceLast]:
    is_known = work.offset <= file.size and work.file_id == file.identity(work.offset)
    work = copy(work) if is_known else Work()
    work.file = transcript
    if file.size - work.offset > MOST_BYTES:
        start = file.line_after(file.size - MOST_BYTES)
        work.skipped += start - work.offset
        work.offset = start
    follower = SessionFollower(file.reader, work, root, now, refuses)
    start = work.offset
    for stretch in file.stretches(start):
        if not stretch.finished:
            break
        for record in stretch.records():
            if not isinstance(record, Damaged):
                follower.take(record)
        work.offset = stretch.end
    work.file_id = file.identity(work.offset)
    follower.new.bytes_read = work.offset - start
    return work, follower.new
