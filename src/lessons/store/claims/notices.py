"""Remembers which notices a session has had: each is given once."""

from lessons.store.claims.claim_files import claim_below, root_folders, safe_name, session_folder

_NOTICES = "told"


def claim_notice(home: str, session: str, name: str) -> bool:
    """Returns True once per session; False if it cannot be remembered, rather than True at each call."""
    if not session or not name:
        return False
    return claim_below(root_folders(home), f"{session_folder(session)}/{_NOTICES}", safe_name(name))[0] is True
