"""Decides which call may show something from memory: once for each thing in a context, a few times in a session."""

from lessons.store.claims.claim_files import (
    claim_below,
    context_folder,
    existing_folders,
    exists,
    root_folders,
    safe_name,
    session_folder,
)

_RECALLS = "recalls"
MOST_RECALLS = 5


def claim_recall(home: str, session: str, agent_id: str, key: str, most: int = MOST_RECALLS) -> bool:
    """Returns True for exactly one of all callers with this key in this context, and `most` times in a session.

    Returns False if it cannot be remembered: rather nothing than the same text at each call.
    """
    if not session or not key:
        return False
    name, roots = safe_name(f"recall:{key}"), root_folders(home)
    context, recalls = f"{session_folder(session)}/{context_folder(agent_id)}", f"{session_folder(session)}/{_RECALLS}"
    # A session that has had all its recalls creates no further claims.
    if any(exists(f"{folder}/{most}") for folder in existing_folders(home, recalls)):
        return False
    if claim_below(roots, context, name)[0] is not True:
        return False
    return any(claim_below(roots, recalls, str(number))[0] is True for number in range(1, most + 1))
