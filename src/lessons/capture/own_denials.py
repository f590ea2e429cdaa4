"""Tells the denials of our own hook from those of other hooks: these are failures of the call, ours are not.

Our hook writes its log before it answers, so the log has a denial before the transcript has it.
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

from lessons import paths
from lessons.agents.names import plain_id
from lessons.store import injection_files
from lessons.store.history.history import History
from lessons.store.history.injections import DENIALS
from lessons.store.history.rows import Batch, Result


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
        for call, session, time in lines.values():
            if call:
                found.calls.add(call)
            else:
                found.times.setdefault(session, []).append(time)
        return found


def _in_files(home: str) -> dict[int, tuple[str, str, str]]:
    found = {}
    for line in injection_files.unfolded(home):
        if line.event.get("decision") in DENIALS:
            call, session, time = (str(line.event.get(key) or "") for key in ("toolUseId", "session", "time"))
            found[line.key] = (plain_id(call), plain_id(session), time)
    return found


def _by_time(part: Batch, denied: list[Result], times: dict[str, list[str]]) -> Iterator[str]:
    """Yields for each denial without an id the last denied call of its session that was made before it."""
    made = {call.tool_use_id: call.origin.time for call in part.calls}
    for session in {row.session_id for row in denied} & times.keys():
        calls = [row for row in denied if row.session_id == session]
        left = sorted((made.get(row.tool_use_id, row.ended), row.tool_use_id) for row in calls)
        for time in sorted(times[session]):
            before = [each for each in left if each[0] <= time]
            if before:
                left.remove(before[-1])
                yield before[-1][1]


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return -1
