"""A tool call that a server and a command may both answer in, which of them does out; exactly one asker wins."""

from lessons.store.seen import create_claim, own_folder, root_folders, safe_name, session_folder
from lessons.system import system

_CALLS = "answered"
_NOTICES = "told"
# Both answer the same call within seconds: so many claims of a process, and so many of all, are ever needed.
_KEPT = 64
_MOST = 256
# Those of this process, the oldest first.
_made: list[str] = []


def claim_call(home: str, session: str, tool_use_id: str) -> bool:
    """Whether to answer; where it cannot be remembered both do, since a call to be blocked must be."""
    return _first(home, session, _CALLS, tool_use_id) is not False


def claim_notice(home: str, session: str, name: str) -> bool:
    """True once a session; where it cannot be remembered never, rather than at each call."""
    return bool(session) and _first(home, session, _NOTICES, name) is True


def _first(home: str, session: str, part: str, name: str) -> bool | None:
    """True: nobody asked before. False: somebody did. None: nobody can know."""
    if not session or not name:
        return None
    for root in root_folders(home):
        if not own_folder(root):
            continue
        above = f"{root}/{session_folder(session)}"
        path = f"{above}/{part}/{safe_name(name)}"
        created = create_claim(path, 0, "")
        if created is None and own_folder(above) and own_folder(f"{above}/{part}"):
            created = create_claim(path, 0, "")
        if created and part == _CALLS:
            _forget_old(f"{above}/{part}", path)
        if created is not None:
            return created
    return None


def _forget_old(folder: str, newest: str) -> None:
    """A session of many thousand calls leaves no more behind than one of a few."""
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
