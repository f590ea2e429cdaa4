"""A tool call that a server and a command may both answer in, which of them does out."""

import time

from lessons.store.claims.shown import create_claim, own_folder, root_folders, safe_name, session_folder
from lessons.system import O_BINARY, system

# Who asks.
SERVER = "server"
COMMAND = "command"

_CALLS = "answered"
_NOTICES = "told"
# Both are asked at the same moment: a claim that is older was made for another call, of the same id.
_FRESH_SECONDS = 3.0
# Both answer the same call within seconds: so many claims of a process, and so many of all, are ever needed.
_KEPT = 64
_MOST = 256
# Those of this process, the oldest first.
_made: list[str] = []


def claim_call(home: str, session: str, tool_use_id: str, asker: str) -> bool:
    """Whether to answer: always, unless the other one has just done so.

    An id may come again: either one alone answers every call. Where nothing can be remembered both do, since a call
    to be blocked must be.
    """
    created, path = _create(home, session, _CALLS, tool_use_id, asker)
    if created:
        _forget_old(path)
    if created is not False:
        return True
    if _is_fresh(path) and _maker_of(path) != asker:
        return False
    _renew(path, asker)
    return True


def claim_notice(home: str, session: str, name: str) -> bool:
    """True once a session; where it cannot be remembered never, rather than at each call."""
    return bool(session) and _create(home, session, _NOTICES, name, "")[0] is True


def _create(home: str, session: str, part: str, name: str, note: str) -> tuple[bool | None, str]:
    """True: nobody asked before. False: somebody did. None: nobody can know. And where it is noted."""
    if not session or not name:
        return None, ""
    for root in root_folders(home):
        if not own_folder(root):
            continue
        above = f"{root}/{session_folder(session)}"
        path = f"{above}/{part}/{safe_name(name)}"
        created = create_claim(path, 0, note)
        if created is None and own_folder(above) and own_folder(f"{above}/{part}"):
            created = create_claim(path, 0, note)
        if created is not None:
            return created, path
    return None, ""


def _is_fresh(path: str) -> bool:
    try:
        return abs(time.time() - _time_of(path)) <= _FRESH_SECONDS
    except OSError:
        return False


def _maker_of(path: str) -> str:
    """Empty where it is being written at this moment, which only the other one can be doing."""
    try:
        file = system.open(path, system.O_RDONLY | O_BINARY)
        try:
            return system.read(file, 64).partition(b"\n")[2].decode("ascii", "replace")
        finally:
            system.close(file)
    except OSError:
        return ""


def _renew(path: str, asker: str) -> None:
    _remove(path)
    create_claim(path, 0, asker)


def _forget_old(newest: str) -> None:
    """A session of many thousand calls leaves no more behind than one of a few."""
    folder = newest.rpartition("/")[0]
    _made.append(newest)
    if len(_made) > _KEPT:
        _remove(_made.pop(0))
    elif len(_made) == 1:  # of processes that answer one call each nobody else counts
        try:
            paths = [f"{folder}/{name}" for name in system.listdir(folder)]
            for path in sorted(paths, key=_time_of)[:-_KEPT] if len(paths) > _MOST else ():
                _remove(path)
        except OSError:
            pass


def _time_of(path: str) -> float:
    return system.lstat(path).st_mtime


def _remove(path: str) -> None:
    try:
        system.unlink(path)
    except OSError:
        pass  # another one was quicker
