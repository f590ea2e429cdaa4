"""The text that restores earlier work, once: after a compaction, or when a session starts."""

import time

from lessons.continuity.compaction import MOST_BYTES, SAVED_RECORD
from lessons.continuity.offer import offer_line
from lessons.plain import framed
from lessons.store.claims.claim_files import create_claim, own_folder, remove_oldest, safe_name
from lessons.store.claims.notices import claim_notice
from lessons.store.project_state.branch import current_branch
from lessons.store.project_state.read_fields import fields_of, number, text
from lessons.store.project_state.state_paths import StatePaths
from lessons.system import is_alive

_HANDOFF = "handoff.json"
_OFFERED_SECONDS = 7 * 24 * 3600
_MOST_KEPT = 64


def after_compaction(place: StatePaths, session: str) -> str:
    """Returns what this session itself was doing, if it is still on the same branch; each handoff once."""
    handoff = fields_of(f"{place.session(session)}/{_HANDOFF}")
    git = handoff.get("git")
    branch = text(git, "branch") if isinstance(git, dict) else ""
    words = text(handoff, "context").strip()
    if not words or text(handoff, "sessionId") != session or branch != current_branch(place.root):
        return ""
    saved = text(handoff, "timestamp")
    if not claim_notice(place.home, session, f"handoff {saved}"):
        return ""
    # The content is always quoted, whoever wrote the file.
    return _cut(framed(SAVED_RECORD, words), MOST_BYTES)


def offer(place: StatePaths, session: str, now: float) -> str:
    """Returns one line about the previous session, if it ended recently and was not mentioned yet."""
    handoff = fields_of(f"{place.state}/{_HANDOFF}")
    other = text(handoff, "sessionId")
    saved = _seconds(text(handoff, "timestamp"))
    if not text(handoff, "offer") or not other or other == session or not now - _OFFERED_SECONDS < saved < now + 60:
        return ""
    if _still_runs(place, other):
        return ""
    # A session resumed after it was offered, with a new request, is offered again.
    return offer_line(handoff) if _claim(place, f"{other} {text(handoff, 'lastRequest')}") else ""


def _still_runs(place: StatePaths, session: str) -> bool:
    state = fields_of(f"{place.session(session)}/session-state.json")
    process = number(state, "process")
    return state.get("endedAt") is None and process > 0 and is_alive(process)


def _claim(place: StatePaths, name: str) -> bool:
    """True for exactly one of all starting sessions; for none if the claim cannot be stored."""
    folder = place.own + "/offered"
    if not own_folder(folder) or not create_claim(f"{folder}/{safe_name(name)}"):
        return False
    remove_oldest(folder, _MOST_KEPT)
    return True


def _seconds(moment: str) -> float:
    """Converts a UTC time of the files to seconds since 1970; 0 if invalid."""
    try:
        year, month, day = int(moment[:4]), int(moment[5:7]), int(moment[8:10])
        hour, minute, second = int(moment[11:13]), int(moment[14:16]), int(moment[17:19])
        return time.mktime((year, month, day, hour, minute, second, 0, 0, 0)) - time.timezone
    except (ValueError, OverflowError):
        return 0.0


def _cut(words: str, most: int) -> str:
    return words.encode("utf-8", "replace")[:most].decode("utf-8", "ignore").strip()
