"""What a session remembers beside its claims (model, project), and how its memory is cleared or re-armed."""

from lessons.store.claims.claim_files import (
    PRIORITY_BYTES,
    SESSION_PREFIX,
    context_folder,
    existing_folders,
    modified_at,
    names_in,
    read,
    remove,
    root_folders,
    session_folder,
    writable_folders,
    write,
)
from lessons.system import system

_FORGET_AFTER_SECONDS = 14 * 24 * 3600
_MOST_SESSIONS_AT_ONCE = 200
_LONGEST_MODEL = 200
_LONGEST_ROOT = 8_192


def forget_session(home: str, session: str) -> None:
    """Every context of the session is empty again."""
    for folder in _session_folders(home, session):
        _clear(folder)


def rearm_above(home: str, session: str, threshold: int, agent_id: str = "") -> None:
    """After a compaction: lessons above this priority may be shown again in that context, a subagent's or the main."""
    for folder in _session_folders(home, session):
        context = f"{folder}/{context_folder(agent_id)}"
        for name in names_in(context):
            if _priority_in(f"{context}/{name}") > threshold:
                remove(f"{context}/{name}")


def forget_old_sessions(home: str, now: float) -> None:
    """Deletes what sessions left that nobody has touched for two weeks; a bounded number at a time."""
    for root in root_folders(home):
        sessions = [name for name in names_in(root) if name.startswith(SESSION_PREFIX)]
        for folder in (f"{root}/{name}" for name in sessions[:_MOST_SESSIONS_AT_ONCE]):
            # What happens in a context changes the time of its own folder, not of the session's.
            newest = max(modified_at(path) for path in (folder, *(f"{folder}/{part}" for part in names_in(folder))))
            if now - newest > _FORGET_AFTER_SECONDS:
                _clear(folder)


def remember_model(home: str, session: str, model: str) -> None:
    """Only some events name the model: it is kept for the other events of the session."""
    _remember(home, session, "model", model.encode("utf-8", "replace")[:_LONGEST_MODEL])


def model_of(home: str, session: str) -> str:
    return _remembered(home, session, "model", _LONGEST_MODEL).decode("utf-8", "replace")


def remember_root(home: str, session: str, root: str) -> None:
    """The agent may change its folder at any time: the session belongs to the project in which it began."""
    data = root.encode("utf-8", "surrogatepass")
    if len(data) <= _LONGEST_ROOT:
        _remember(home, session, "root", data)


def root_of(home: str, session: str) -> str:
    """Empty where the session's start was not seen."""
    try:
        return _remembered(home, session, "root", _LONGEST_ROOT).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return ""


def _session_folders(home: str, session: str) -> list[str]:
    return existing_folders(home, session_folder(session)) if session else []


def _clear(folder: str) -> None:
    for part in names_in(folder):
        for name in names_in(f"{folder}/{part}"):
            remove(f"{folder}/{part}/{name}")
        try:
            system.rmdir(f"{folder}/{part}")
        except OSError:
            remove(f"{folder}/{part}")
    try:
        system.rmdir(folder)
    except OSError:
        pass


def _priority_in(path: str) -> int:
    try:
        return int(read(path, PRIORITY_BYTES) or b"0")
    except ValueError:
        return 0


def _remember(home: str, session: str, name: str, data: bytes) -> None:
    for folder in writable_folders(home, session_folder(session)) if session and data else ():
        if write(f"{folder}/{name}", data, system.O_TRUNC):
            return


def _remembered(home: str, session: str, name: str, most: int) -> bytes:
    for folder in _session_folders(home, session):
        data = read(f"{folder}/{name}", most)
        if data is not None:
            return data
    return b""
