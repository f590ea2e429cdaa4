"""The file `briefing` of a project in the data home: one line for the user, prepared in the background.

The hook takes it by renaming it, so that exactly one session shows it. The next check of the alerts then counts what
was shown. Line 1: the text, line 2: the ids of the alerts in it.
"""

import time

from lessons.system import O_BINARY, system

_NAME, _SHOWN = "/briefing", "/briefing-shown"
_LARGEST = 4096
_OLD_SECONDS = 7 * 24 * 3600


def take(own: str) -> str:
    """Returns the line to exactly one caller; empty if there is none, or it is too old."""
    path = own + _NAME
    try:
        if not -60 < time.time() - system.stat(path).st_mtime < _OLD_SECONDS:
            return ""
        system.replace(path, own + _SHOWN)
        return _read(own + _SHOWN).partition("\n")[0]
    except (OSError, ValueError):
        return ""


def take_shown(own: str) -> list[str]:
    """Returns the ids of the alerts shown since the last call."""
    path = own + _SHOWN
    try:
        names = _read(path).partition("\n")[2].split()
        system.unlink(path)
        return names
    except (OSError, ValueError):
        return []


def write(own: str, text: str, names: list[str]) -> None:
    """Replaces the line; an empty text removes it.

    If a line was shown since `take_shown`, this one was prepared without counting it: the next check prepares another.
    """
    from lessons.store import atomic

    if text and not _exists(own + _SHOWN):
        atomic.write_bytes(own + _NAME, f"{text}\n{' '.join(names)}\n".encode("utf-8", "replace"), 0o600)
        return
    try:
        system.unlink(own + _NAME)
    except OSError:
        pass


def _exists(path: str) -> bool:
    try:
        system.stat(path)
        return True
    except OSError:
        return False


def _read(path: str) -> str:
    file = system.open(path, system.O_RDONLY | O_BINARY)
    try:
        return system.read(file, _LARGEST).decode("utf-8", "replace")
    finally:
        system.close(file)
