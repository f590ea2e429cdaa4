"""The payload of an event in, the product's own Python started on keeping what the session was doing out."""

import time

from lessons.agents.claude_code import wire
from lessons.hook import background
from lessons.system import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.hook.background import Ended


def start_save(
    payload: dict[str, object], home: str, python: str, event: str, saved_by: str, *more: str
) -> "Ended | None":
    """None where there is nothing to be kept, or nothing that could do it."""
    session, transcript = wire.text(payload, "session_id"), wire.text(payload, "transcript_path")
    if not python or not session or size_of(transcript) <= 0:
        return None
    # As one word each: no name from outside can be taken for an option.
    places = (f"--session={session}", f"--transcript={transcript}", f"--cwd={wire.text(payload, 'cwd') or '/'}")
    return background.start(home, event, python, "handoff", "save", "--quiet", f"--saved-by={saved_by}", *places, *more)


def start_begin(payload: dict[str, object], home: str, python: str, client: str) -> None:
    session, cwd = wire.text(payload, "session_id"), wire.text(payload, "cwd")
    if python and session and _is_folder(cwd):
        process = client if client.isdigit() and hasattr(system, "getuid") else "0"
        arguments = (f"--session={session}", f"--cwd={cwd}", f"--process={process}", f"--at={int(time.time())}")
        background.start(home, "SessionStart", python, "session", "begin", "--quiet", *arguments)


def size_of(file: str) -> int:
    """In bytes; -1 where it is no plain file."""
    try:
        status = system.stat(file)
    except (OSError, ValueError):
        return -1
    return status.st_size if status.st_mode & 0o170000 == 0o100000 else -1


def _is_folder(path: str) -> bool:
    try:
        return bool(path) and system.stat(path).st_mode & 0o170000 == 0o040000
    except (OSError, ValueError):
        return False
