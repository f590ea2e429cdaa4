"""Checks that the data home exists, and that only the user can write to it."""

import os
import shlex
import stat
from collections.abc import Iterator

from lessons.check import Check

_NAME = "data home"
_MOST_NAMED = 3


def check(home: str) -> Check:
    if not os.path.isdir(home):
        return Check(_NAME, False, f"{home} does not exist.", "Run `lessons install` or `lessons add`.")
    if not os.access(home, os.W_OK):
        return Check(_NAME, False, f"{home} is not writable.", "Give yourself write permission.")
    if os.name == "posix":
        return _written_by_others(home) or Check(_NAME, True, home)
    return Check(_NAME, True, home)


def _written_by_others(home: str) -> Check | None:
    """Fails if others can write: they would control what the agent reads and which calls are blocked."""
    if wide := list(_wide_folders(home)):
        named = ", ".join(wide[:_MOST_NAMED])
        more = f" and {len(wide) - _MOST_NAMED} more folders" if len(wide) > _MOST_NAMED else ""
        change = f"chmod 700 {' '.join(map(shlex.quote, wide))}"
        fix = f"Run `{f'chmod -R go-w {shlex.quote(home)}' if more else change}`."
        return Check(_NAME, False, f"Others can write {named}{more}.", fix)
    if above := list(_open_levels(home)):
        detail = f"Others can replace the data home, because they can write {', '.join(above)}."
        return Check(_NAME, False, detail, f"Run `chmod o-w {' '.join(map(shlex.quote, above))}`.")
    return None


def _wide_folders(home: str) -> Iterator[str]:
    for folder, _, _ in os.walk(home):
        if _mode(folder) & 0o022:
            yield folder


def _open_levels(home: str) -> Iterator[str]:
    """Yields the folders above the data home in which anybody may rename files of others."""
    level = os.path.dirname(os.path.realpath(home))
    while True:
        mode = _mode(level)
        if mode & 0o002 and not mode & stat.S_ISVTX:
            yield level
        if os.path.dirname(level) == level:
            return
        level = os.path.dirname(level)


def _mode(folder: str) -> int:
    try:
        return stat.S_IMODE(os.stat(folder).st_mode)
    except OSError:  # deleted meanwhile
        return 0
