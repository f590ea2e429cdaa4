"""The table `stop_hooks`: the hooks that ran when turns ended, and which of them failed."""

from typing import NamedTuple

import msgspec

from lessons.store.history.border import Part


class FailedHooks(NamedTuple):
    """Turns that ended with a failed hook, out of all that ended with hooks; and the last one."""

    failed: int
    turns: int
    is_newest: bool = False  # no later turn ended without such a failure
    time: str = ""
    project: str = ""
    error: str = ""


class StopHookRuns(Part):
    """How hooks of any program ended, at the ends of turns."""

    def failed_since(self, moment: str) -> FailedHooks:
        failed, turns, newest = self._connection.execute(
            "SELECT count(*) FILTER (WHERE errors <> '[]'), count(*), max(time) FROM stop_hooks WHERE time >= ?",
            (moment,),
        ).fetchone()
        if not failed:
            return FailedHooks(0, turns)
        time, project, errors = self._connection.execute(
            "SELECT time, project, errors FROM stop_hooks WHERE time >= ? AND errors <> '[]'"
            " ORDER BY time DESC, id DESC LIMIT 1",
            (moment,),
        ).fetchone()
        first = next(iter(msgspec.json.decode(errors, type=list[str])), "")
        return FailedHooks(failed, turns, time == newest, time, project, first)
