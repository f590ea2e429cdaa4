"""At turn end: saves in the background what was done, and warns the user once."""

from lessons.agents.hook_event import Answer
from lessons.continuity.compaction import MANY_FILES, many_files
from lessons.hook import session_worker
from lessons.store.claims.notices import claim_notice
from lessons.store.project_state.read_fields import fields_of, number, text
from lessons.store.project_state.state_paths import StatePaths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent


def answer(event: "HookEvent", home: str, python: str = "") -> Answer | None:
    if not event.session:
        return None
    folder = StatePaths(home, session_worker.root_of(event, home)).session(event.session)
    warning = _warning(folder, home, event.session)
    work = fields_of(folder + "/work.json")
    is_same = text(work, "file") == event.transcript
    has_grown = not is_same or number(work, "offset") != session_worker.size_of(event.transcript)
    if has_grown or warning:
        session_worker.spawn_save(event, home, python, "stop", *(["warned=yes"] if warning else []))
    return Answer(message=warning) if warning else None


def _warning(folder: str, home: str, session: str) -> str:
    """Returns the finding of the check after an earlier turn; shown once each time it becomes due."""
    tracking = fields_of(folder + "/context-tracking-state.json")
    files = tracking.get("filesRead")
    if not isinstance(files, list) or len(files) < MANY_FILES or tracking.get("warningShown") is not False:
        return ""
    due = claim_notice(home, session, f"many-files {number(tracking, 'lastReset')}")
    return many_files(len(files)) if due else ""
