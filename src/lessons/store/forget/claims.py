"""Forgets what running sessions of a scope were shown, including sessions that are recorded only here."""

from lessons.store.claims.claim_files import SESSION_PREFIX, names_in, read, root_folders, safe_name
from lessons.store.claims.session_memory import clear, forget_session
from lessons.store.forget.traces import Traces

_LONGEST_ROOT = 8_192


def forget(home: str, traces: Traces) -> None:
    for session in traces.sessions:
        forget_session(home, session)
    for root in root_folders(home):
        for name in names_in(root):
            if name.startswith(SESSION_PREFIX) and _belongs(f"{root}/{name}", name, traces):
                clear(f"{root}/{name}")


def _belongs(folder: str, name: str, traces: Traces) -> bool:
    began_in = (read(f"{folder}/root", _LONGEST_ROOT) or b"").decode("utf-8", "replace")
    if traces.scope.folders and began_in and traces.scope.covers_folder(began_in):
        return True
    return name.removeprefix(SESSION_PREFIX) in {safe_name(session) for session in traces.sessions}
