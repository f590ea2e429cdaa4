"""A project's root, or the id of a session, in; the transcript that this client wrote last of it out."""

import glob
import os
import re
from collections.abc import Iterator

from lessons.agents.claude_code import places
from lessons.agents.claude_code.transcript import Transcripts
from lessons.agents.lines import blocks_of
from lessons.match.call import comparable, folder_key
from lessons.system import O_BINARY

_OTHER_SIGNS = re.compile(r"[^a-zA-Z0-9]")
_MOST = 50
_LOOKED_AT = 1 << 18


def newest_transcript(root: str) -> str | None:
    """The newest whose lines say that they were written in the project or below it."""
    roots = {root, os.path.realpath(root)}
    beginnings = tuple(_OTHER_SIGNS.sub("-", each) for each in roots)
    found = [path for path in _all() if os.path.basename(os.path.dirname(path)).startswith(beginnings)]
    inside = tuple(map(folder_key, roots))
    return next((path for path in _newest_first(found)[:_MOST] if _is_of(path, inside)), None)


def transcript_of(session_id: str) -> str | None:
    """Of one session, whichever project it is in."""
    name = session_id + places.SUFFIX
    return next(iter(_newest_first([path for path in _all() if os.path.basename(path) == name])), None)


def _all() -> Iterator[str]:
    """Conversations, and not what subagents did in them."""
    for root in places.roots():
        for path in glob.iglob(f"{glob.escape(root)}/*/*{places.SUFFIX}"):
            if not os.path.basename(path).startswith("agent-"):
                yield path


def _newest_first(paths: list[str]) -> list[str]:
    dated = []
    for path in paths:
        try:
            dated.append((os.stat(path).st_mtime_ns, path))
        except OSError:
            continue
    return [path for _, path in sorted(dated, reverse=True)]


def _is_of(path: str, inside: tuple[str, ...]) -> bool:
    """The name of its folder stands for several: one dash may be any sign."""
    return any((comparable(folder) + "/").startswith(inside) for folder in _folders(path))


def _folders(path: str) -> Iterator[str]:
    reader = Transcripts()
    try:
        descriptor = os.open(path, os.O_RDONLY | O_BINARY)
    except OSError:
        return
    try:
        for _, data, end, finished in blocks_of(descriptor, 0, min(os.fstat(descriptor).st_size, _LOOKED_AT)):
            for line in data.split(b"\n") if data and finished else ():
                for record in reader.records(line, end) if line else ():
                    if record is not None and record.line.cwd:
                        yield record.line.cwd
    finally:
        os.close(descriptor)
