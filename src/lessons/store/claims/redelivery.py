"""A claim whose words may never have arrived in, its note, its end or its next holder out; exactly one call takes over.

The claims of a lesson in a context follow each other as files: the first has the lesson's name, each further one says
which it is. Only the last of them counts.
"""

from lessons.store.claims.shown import PRIORITY_BYTES, create_claim, safe_name
from lessons.system import O_BINARY, system

# Where a client never tells that words arrived, a lesson must not come at every call.
MOST_CLAIMS = 5
_LONGEST_NOTE = 8192


def note_of(folders: list[str], slug: str) -> str:
    """What the last claim keeps of its call; empty where it is settled, and where nobody may take over any more."""
    claims = _claims(folders, slug)
    if not claims or len(claims) >= MOST_CLAIMS:
        return ""
    try:
        file = system.open(claims[-1], system.O_RDONLY | O_BINARY)
        try:
            data = system.read(file, PRIORITY_BYTES + _LONGEST_NOTE)
        finally:
            system.close(file)
    except OSError:
        return ""
    return data[PRIORITY_BYTES:].decode("utf-8", "replace")


def settle(folders: list[str], slug: str) -> None:
    """The words have arrived: the claim stands, and nobody has to look again."""
    for claim in _claims(folders, slug)[-1:]:
        try:
            file = system.open(claim, system.O_WRONLY | O_BINARY)
            try:
                system.ftruncate(file, PRIORITY_BYTES)
            finally:
                system.close(file)
        except OSError:
            pass  # the next call looks once more


def take_over(folders: list[str], slug: str, priority: int, lost: str, note: str) -> bool:
    """True for exactly one of all who know the last claim by its note `lost`."""
    claims = _claims(folders, slug)
    # Another may have taken over since this call looked: then the last claim is not the one that was lost.
    if not claims or note_of(folders, slug) != lost:
        return False
    return create_claim(_name(claims[0], len(claims) + 1), priority, note) is True


def _claims(folders: list[str], slug: str) -> list[str]:
    """The files of the lesson in this context, the last one last."""
    for folder in folders:
        first = f"{folder}/{safe_name(slug)}"
        if not _exists(first):
            continue
        found = [first]
        while len(found) < MOST_CLAIMS and _exists(further := _name(first, len(found) + 1)):
            found.append(further)
        return found
    return []


def _name(first: str, number: int) -> str:
    return f"{first}.claim{number}"


def _exists(path: str) -> bool:
    try:
        system.lstat(path)
        return True
    except OSError:
        return False
