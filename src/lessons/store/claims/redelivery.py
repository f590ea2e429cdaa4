"""Handles claims whose text may not have reached the model; exactly one call may show the lesson again.

Each claim of a lesson in a context is a file: the first has the lesson's name, further ones are numbered. Only the last
one counts.
"""

from lessons.store.claims.claim_files import PRIORITY_BYTES, create_claim, exists, read, safe_name, truncate

# If a client never reports that a text arrived, the lesson must not be shown at every call.
MOST_CLAIMS = 5
_LONGEST_NOTE = 8192


def note_of(folders: list[str], slug: str) -> str:
    """Returns what the last claim stores about its call; empty if it is settled, or no further claim is allowed."""
    claims = _claims(folders, slug)
    if not claims or len(claims) >= MOST_CLAIMS:
        return ""
    data = read(claims[-1], PRIORITY_BYTES + _LONGEST_NOTE) or b""
    return data[PRIORITY_BYTES:].decode("utf-8", "replace")


def settle(folders: list[str], slug: str) -> None:
    """Records that the text arrived: the claim holds, and nobody has to check again."""
    for claim in _claims(folders, slug)[-1:]:
        truncate(claim, PRIORITY_BYTES)


def take_over(folders: list[str], slug: str, priority: int, lost: str, note: str) -> bool:
    """Returns True for exactly one of all callers that saw the note `lost` in the last claim."""
    claims = _claims(folders, slug)
    # Another call may have claimed it since this one checked: then the last claim is not the lost one.
    if not claims or note_of(folders, slug) != lost:
        return False
    return create_claim(_name(claims[0], len(claims) + 1), priority, note) is True


def _claims(folders: list[str], slug: str) -> list[str]:
    """Returns the claim files of the lesson in this context, last one last."""
    for folder in folders:
        first = f"{folder}/{safe_name(slug)}"
        if not exists(first):
            continue
        found = [first]
        while len(found) < MOST_CLAIMS and exists(further := _name(first, len(found) + 1)):
            found.append(further)
        return found
    return []


def _name(first: str, number: int) -> str:
    return f"{first}.claim{number}"
