"""The payload of an event in, the product's own Python started on keeping what the session was doing out."""

import time

from lessons.agents.claude_code import wire
from lessons.hook import background
from lessons.store.claims import session_memory
from lessons.store.project_state import state_paths
from lessons.system import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.hook.background import Ended

# The verbs of people load far more than the work needs, and a compaction waits for it.
_WORKER = "lessons.continuity"


def root_of(payload: dict[str, object], home: str) -> str:
    """The project in which the session began; where nobody saw that, the one that it is in now."""
    known = session_memory.root_of(home, wire.text(payload, "session_id"))
    return known or state_paths.root_of(wire.text(payload, "cwd"))


def fix_root(payload: dict[str, object], home: str) -> None:
    """From now on the session belongs to the project it is in; one that is resumed, to the same as before."""
    session, cwd = wire.text(payload, "session_id"), wire.text(payload, "cwd")
    if _is_folder(cwd) and not _is_folder(session_memory.root_of(home, session)):
        session_memory.remember_root(home, session, state_paths.root_of(cwd))


def start_save(
    payload: dict[str, object], home: str, python: str, event: str, saved_by: str, *more: str
) -> "Ended | None":
    """None where there is nothing to be kept, or nothing that could do it."""
    transcript = wire.text(payload, "transcript_path")
    if not python or not wire.text(payload, "session_id") or size_of(transcript) <= 0:
        return None
    words = (*_session_words(payload, home), f"transcript={transcript}", f"by={saved_by}", *more)
    return background.start(home, event, python, "save", *words, module=_WORKER)


def start_begin(payload: dict[str, object], home: str, python: str, client: str) -> None:
    if python and wire.text(payload, "session_id") and _is_folder(wire.text(payload, "cwd")):
        process = client if client.isdigit() and hasattr(system, "getuid") else "0"
        words = (*_session_words(payload, home), f"process={process}", _now())
        background.start(home, "SessionStart", python, "begin", *words, module=_WORKER)


def start_end(payload: dict[str, object], home: str, python: str, reason: str) -> None:
    """Also where nothing was said in the session, so that there is no transcript."""
    if python and wire.text(payload, "session_id") and _is_folder(root_of(payload, home)):
        transcript = wire.text(payload, "transcript_path")
        left = (f"transcript={transcript}",) if size_of(transcript) > 0 else ()
        words = (*_session_words(payload, home), *left, f"reason={reason}", _now())
        background.start(home, "SessionEnd", python, "end", *words, module=_WORKER)


def size_of(file: str) -> int:
    """In bytes; -1 where it is no plain file."""
    try:
        status = system.stat(file)
    except (OSError, ValueError):
        return -1
    return status.st_size if status.st_mode & 0o170000 == 0o100000 else -1


def _session_words(payload: dict[str, object], home: str) -> tuple[str, str]:
    return f"session={wire.text(payload, 'session_id')}", f"root={root_of(payload, home)}"


def _now() -> str:
    """What is started comes to run later: the moment that counts is that of the event."""
    return f"at={int(1000 * time.time())}"


def _is_folder(path: str) -> bool:
    try:
        return bool(path) and system.stat(path).st_mode & 0o170000 == 0o040000
    except (OSError, ValueError):
        return False
