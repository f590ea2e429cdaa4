"""Reads the lines of a growing file in bounded memory, whatever their length."""

from collections.abc import Iterator

from lessons.system import read_at

_CHUNK = 1 << 20
# Longer lines than any client writes are skipped, and counted.
LONGEST_LINE = 72 * 1024 * 1024


# Position, one or more lines, the first byte after them, whether the last one is finished. A line is None if it is too
# long to be read.
FoundLine = tuple[int, bytes | None, int, bool]


def blocks_of(descriptor: int, start: int, size: int) -> Iterator[FoundLine]:
    """Yields all lines that start before `size`, from the start of a line on; many whole lines with their ends at once.

    A very long line comes alone, and so does an unfinished last line.
    """
    at = start
    while at < size:
        chunk = read_at(descriptor, min(_CHUNK, size - at), at)
        length = chunk.rfind(b"\n") + 1
        if length:
            yield at, chunk if length == len(chunk) else chunk[:length], at + length, True
            at += length
        elif at + len(chunk) >= size or not chunk:
            if chunk:
                yield at, chunk, at + len(chunk), False
            return
        else:
            # Longer than a chunk: find its end first, so that it is in memory only once.
            found = _long_line(descriptor, at, _end_of_line(descriptor, at + len(chunk), size), size)
            yield found
            at = found[2]


def _end_of_line(descriptor: int, at: int, size: int) -> int:
    """Returns the position of the next newline, or `size`."""
    while at < size:
        chunk = read_at(descriptor, min(_CHUNK, size - at), at)
        found = chunk.find(b"\n")
        if found >= 0:
            return at + found
        if not chunk:
            break
        at += len(chunk)
    return size


def _long_line(descriptor: int, position: int, end: int, size: int) -> FoundLine:
    finished = end < size
    length = end + finished - position
    data = read_at(descriptor, length, position) if end - position <= LONGEST_LINE else None
    if data is not None and len(data) < length:
        data = None  # the file was truncated while it was read: the next scan sees the rest
    return position, data, position + length, finished
