"""Decides whether the server or the command answers a call that both could answer."""

import time

from lessons.store.claims.claim_files import (
    claim_below,
    create_claim,
    modified_at,
    names_in,
    read,
    remove,
    remove_oldest,
    root_folders,
    safe_name,
    session_folder,
)

# Who asks.
SERVER = "server"
COMMAND = "command"

_CALLS = "answered"
_LONGEST_CLAIM = 64
# Both are asked at the same time: an older claim was for another call with the same id.
_FRESH_SECONDS = 3.0
# Both answer the same call within seconds: neither one process nor all of them together need more claims than this.
_MOST_KEPT = 64
_MOST_IN_FOLDER = 256
# Those of this process, oldest first.
_made: list[str] = []


def claim_call(home: str, session: str, tool_use_id: str, asker: str) -> bool:
    """Whether to answer: always, unless the other one has just done so.

    An id may recur: if only one of them runs, it answers every call. If claims cannot be stored, both answer, because a
    call to be blocked must be.
    """
    if not session or not tool_use_id:
        return True
    place = f"{session_folder(session)}/{_CALLS}"
    created, path = claim_below(root_folders(home), place, safe_name(tool_use_id), note=asker)
    if created:
        _forget_old(path)
    if created is not False:
        return True
    if abs(time.time() - modified_at(path)) <= _FRESH_SECONDS and _maker_of(path) != asker:
        return False
    remove(path)
    create_claim(path, note=asker)
    return True


def _maker_of(path: str) -> str:
    """Returns who made the claim; empty while it is being written, which only the other one can be doing."""
    return (read(path, _LONGEST_CLAIM) or b"").partition(b"\n")[2].decode("ascii", "replace")


def _forget_old(newest: str) -> None:
    """Limits the claims, so that a session of many thousand calls leaves no more than a short one."""
    folder = newest.rpartition("/")[0]
    _made.append(newest)
    if len(_made) > _MOST_KEPT:
        remove(_made.pop(0))
    # Nothing else counts the claims of processes that answer one call each.
    elif len(_made) == 1 and len(names_in(folder)) > _MOST_IN_FOLDER:
        remove_oldest(folder, _MOST_KEPT)
