"""A session in, what its contexts remember cleared, re-armed or told out: the other side of `seen`."""

from lessons.store.claims.shown import SESSION, is_own_folder, own_folder, root_folders, safe_name, session_folder
from lessons.system import O_BINARY, system

_FORGET_AFTER_SECONDS = 14 * 24 * 3600
_LONGEST_MODEL = 200
_LONGEST_ROOT = 8_192
_WRITING = system.O_WRONLY | system.O_CREAT | system.O_TRUNC | O_BINARY


def _names(folder: str) -> list[str]:
    """What lies in a folder of the user's own; of any other nothing is read and nothing deleted."""
    try:
        return system.listdir(folder) if is_own_folder(folder) else []
    except OSError:
        return []


def _own_sessions(home: str, session: str) -> list[str]:
    roots = [root for root in root_folders(home) if is_own_folder(root)] if session else []
    return [f"{root}/{session_folder(session)}" for root in roots]


def _remove(path: str) -> None:
    try:
        system.unlink(path)
    except OSError:
        pass


def forget_session(home: str, session: str) -> None:
    """A fresh start: every context of the session is empty again."""
    for folder in _own_sessions(home, session):
        _clear(folder)


def _clear(folder: str) -> None:
    for part in _names(folder):
        for name in _names(f"{folder}/{part}"):
            _remove(f"{folder}/{part}/{name}")
        try:
            system.rmdir(f"{folder}/{part}")
        except OSError:
            _remove(f"{folder}/{part}")
    try:
        system.rmdir(folder)
    except OSError:
        pass


def rearm_above(home: str, session: str, threshold: int, agent_id: str = "") -> None:
    """After a compaction: lessons above this priority may be shown again in that context, a subagent's or the main."""
    part = f"agent-{safe_name(agent_id)}" if agent_id else "main"
    for folder in _own_sessions(home, session):
        for name in _names(f"{folder}/{part}"):
            if _priority_in(f"{folder}/{part}/{name}") > threshold:
                _remove(f"{folder}/{part}/{name}")


def _priority_in(path: str) -> int:
    try:
        file = system.open(path, system.O_RDONLY)
        try:
            return int(system.read(file, 16) or b"0")
        finally:
            system.close(file)
    except (OSError, ValueError):
        return 0


def forget_old_sessions(home: str, now: float) -> None:
    """Sessions nobody has touched for two weeks leave nothing behind; a bounded number at a time."""
    for root in root_folders(home):
        for name in [name for name in _names(root) if name.startswith(SESSION)][:200]:
            folder = f"{root}/{name}"
            # What happens in a context changes the time of its own folder, not of the session's.
            newest = max(_time_of(path) for path in (folder, *(f"{folder}/{part}" for part in _names(folder))))
            if now - newest > _FORGET_AFTER_SECONDS:
                _clear(folder)


def _time_of(path: str) -> float:
    try:
        return system.lstat(path).st_mtime
    except OSError:
        return 0.0


def remember_model(home: str, session: str, model: str) -> None:
    """Only some events name the model: what one says is kept for the others of the session."""
    _remember(home, session, "model", model.encode("utf-8", "replace")[:_LONGEST_MODEL])


def model_of(home: str, session: str) -> str:
    return _remembered(home, session, "model", _LONGEST_MODEL).decode("utf-8", "replace")


def remember_root(home: str, session: str, root: str) -> None:
    """The agent may change its folder at any time: the session belongs to the project in which it began."""
    data = root.encode("utf-8", "surrogatepass")
    if len(data) <= _LONGEST_ROOT:
        _remember(home, session, "root", data)


def root_of(home: str, session: str) -> str:
    """Empty where nobody saw the session begin."""
    try:
        return _remembered(home, session, "root", _LONGEST_ROOT).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return ""


def _remember(home: str, session: str, name: str, data: bytes) -> None:
    for root in root_folders(home) if session and data else ():
        folder = f"{root}/{session_folder(session)}"
        if not (own_folder(root) and own_folder(folder)):
            continue
        try:
            file = system.open(f"{folder}/{name}", _WRITING, 0o600)
        except OSError:
            continue
        try:
            system.write(file, data)
            return
        except OSError:
            continue
        finally:
            system.close(file)


def _remembered(home: str, session: str, name: str, most: int) -> bytes:
    for folder in _own_sessions(home, session):
        try:
            file = system.open(f"{folder}/{name}", system.O_RDONLY | O_BINARY)
        except OSError:
            continue
        try:
            return system.read(file, most)
        except OSError:
            continue
        finally:
            system.close(file)
    return b""
