"""A turn that has ended in, what was done in it kept in the background and, once, a word for the person out."""

from lessons.agents.claude_code import wire
from lessons.agents.claude_code.server.answer_claims import claim_notice
from lessons.continuity.compaction import MANY_FILES, many_files
from lessons.hook import session_worker
from lessons.store.json_text import encode
from lessons.store.project_state.read_fields import fields_of, number, text
from lessons.store.project_state.state_paths import StatePaths

EVENT = "Stop"


def answer(payload: dict[str, object], home: str, python: str) -> str | None:
    session, transcript = wire.text(payload, "session_id"), wire.text(payload, "transcript_path")
    if not session:
        return None
    folder = StatePaths(home, session_worker.root_of(payload, home)).session(session)
    warning = _warning(folder, home, session)
    work = fields_of(folder + "/work.json")
    has_grown = text(work, "file") != transcript or number(work, "offset") != session_worker.size_of(transcript)
    if has_grown or warning:
        session_worker.start_save(payload, home, python, EVENT, "stop", *(["warned=yes"] if warning else []))
    return encode({"systemMessage": warning}) if warning else None


def _warning(folder: str, home: str, session: str) -> str:
    """What the look after an earlier turn has found; told once for each time that it becomes due."""
    tracking = fields_of(folder + "/context-tracking-state.json")
    files = tracking.get("filesRead")
    if not isinstance(files, list) or len(files) < MANY_FILES or tracking.get("warningShown") is not False:
        return ""
    due = claim_notice(home, session, f"many-files {number(tracking, 'lastReset')}")
    return many_files(len(files)) if due else ""
