"""Claims whose words may never have arrived: the note of one, its end, or its next holder; exactly one call takes over.

The claims of a lesson in a context follow each other as files: the first has the lesson's name, each further one says
which it is. Only the last of them counts.
"""

from lessons.store.claims.claim_files import PRIORITY_BYTES, create_claim, exists, read, safe_name, truncate

# Where a client never reports that words arrived, a lesson must not come at every call.
MOST_CLAIMS = 5
_LONGEST_NOTE = 8192


def note_of(folders: list[str], slug: str) -> str:
    """What the last claim keeps of its call; empty where it is settled, or where nobody may take over any more."""
    claims = _claims(folders, slug)
    if not claims or len(claims) >= MOST_CLAIMS:
        return ""
    data = read(claims[-1], PRIORITY_BYTES + _LONGEST_NOTE) or b""
    return data[PRIORITY_BYTES:].decode("utf-8", "replace")


def settle(folders: list[str], slug: str) -> None:
    """The words have arrived: the claim stands, and nobody has to check again."""
    for claim in _claims(folders, slug)[-1:]:
        truncate(claim, PRIORITY_BYTES)


def take_over(folders: list[str], slug: str, priority: int, lost: str, note: str) -> bool:
    """True for exactly one of all who know the last claim by its note `lost`."""
    claims = _claims(folders, slug)
    # Another call may have taken over since this one checked: then the last claim is not the one that was lost.
    if not claims or note_of(folders, slug) != lost:
        return False
    return create_claim(_name(claims[0], len(claims) + 1), priority, note) is True


def _claims(folders: list[str], slug: str) -> list[str]:
    """The files of the lesson in this context, the last one last."""
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
