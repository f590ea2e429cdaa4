"""Remembers facts for later events of a session: its model, and the project in which it started."""

from lessons.store.claims.claim_files import read, session_folder, session_folders, writable_folders, write
from lessons.system import system

_LONGEST_MODEL = 200
_LONGEST_ROOT = 8_192


def remember_model(home: str, session: str, model: str) -> None:
    """Stores the model for later events of the session: only some events name it."""
    _remember(home, session, "model", model.encode("utf-8", "replace")[:_LONGEST_MODEL])


def model_of(home: str, session: str) -> str:
    return _remembered(home, session, "model", _LONGEST_MODEL).decode("utf-8", "replace")


def remember_root(home: str, session: str, root: str) -> None:
    """Stores the project in which the session started: the agent may change its folder later."""
    data = root.encode("utf-8", "surrogatepass")
    if len(data) <= _LONGEST_ROOT:
        _remember(home, session, "root", data)


def root_of(home: str, session: str) -> str:
    """Returns an empty string if the start of the session was not seen."""
    try:
        return _remembered(home, session, "root", _LONGEST_ROOT).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return ""


def _remember(home: str, session: str, name: str, data: bytes) -> None:
    for folder in writable_folders(home, session_folder(session)) if session and data else ():
        if write(f"{folder}/{name}", data, system.O_TRUNC):
            return


def _remembered(home: str, session: str, name: str, most: int) -> bytes:
    for folder in session_folders(home, session):
        data = read(f"{folder}/{name}", most)
        if data is not None:
            return data
    return b""
