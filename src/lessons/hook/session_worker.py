"""Starts the tool's own Python to save what a session was doing."""

import time

from lessons.hook import background
from lessons.store.claims import session_facts
from lessons.store.project_state import state_paths
from lessons.system import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent
    from lessons.hook.background import Ended

# The full command line loads far more than this work needs, and a compaction waits for it.
_WORKER = "lessons.continuity"


def root_of(event: "HookEvent", home: str) -> str:
    """Returns the project in which the session started; if its start was not seen, the current one."""
    return session_facts.root_of(home, event.session) or state_paths.root_of(event.cwd)


def fix_root(event: "HookEvent", home: str) -> None:
    """Assigns the session to its current project; a resumed session keeps the earlier one."""
    if is_folder(event.cwd) and not is_folder(session_facts.root_of(home, event.session)):
        session_facts.remember_root(home, event.session, state_paths.root_of(event.cwd))


def spawn_save(event: "HookEvent", home: str, python: str, saved_by: str, *more: str) -> "Ended | None":
    """Returns None if there is nothing to save, or no interpreter to do it."""
    if not python or not event.session or size_of(event.transcript) <= 0:
        return None
    words = (*_session_words(event, home), f"transcript={event.transcript}", f"by={saved_by}", *more)
    return background.start(home, event.kind, python, "save", *words, module=_WORKER)


def spawn_begin(event: "HookEvent", home: str, python: str) -> None:
    if python and event.session and is_folder(event.cwd):
        process = event.client if event.client.isdigit() and hasattr(system, "getuid") else "0"
        words = (*_session_words(event, home), f"process={process}", _now())
        background.start(home, event.kind, python, "begin", *words, module=_WORKER)


def spawn_end(event: "HookEvent", home: str, python: str, reason: str) -> None:
    """Also handles a session without a transcript, which had no messages."""
    if python and event.session and is_folder(root_of(event, home)):
        transcript = (f"transcript={event.transcript}",) if size_of(event.transcript) > 0 else ()
        words = (*_session_words(event, home), *transcript, f"reason={reason}", _now())
        background.start(home, event.kind, python, "end", *words, module=_WORKER)


def size_of(file: str) -> int:
    """Returns the size in bytes; -1 if it is not a regular file. For `DATABASE#SESSION` it is the database's size."""
    try:
        status = system.stat(file)
    except (OSError, ValueError):
        store, _, session = file.rpartition("#")
        return size_of(store) if store and "/" not in session else -1
    return status.st_size if status.st_mode & 0o170000 == 0o100000 else -1


def _session_words(event: "HookEvent", home: str) -> tuple[str, str, str]:
    return f"agent={event.agent}", f"session={event.session}", f"root={root_of(event, home)}"


def _now() -> str:
    """The worker runs later, so it needs the time of the event."""
    return f"at={int(1000 * time.time())}"


def is_folder(path: str) -> bool:
    try:
        return bool(path) and system.stat(path).st_mode & 0o170000 == 0o040000
    except (OSError, ValueError):
        return False
