"""Creates and reads the files behind every claim.

This module decides which folders to trust, how a text becomes a file name, and how exactly one process wins.

Claims are in a private folder of the user in the temporary directory, else in the data home, one folder per session. A
file is claimed by creating it exclusively, which only one of several parallel processes can do.
"""

from lessons.system import O_BINARY, environment, make_private, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SESSION_PREFIX = "session-"
PRIORITY_BYTES = 16
_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
_LONGEST_READABLE_NAME = 100
_READABLE_PREFIX = 40


def safe_name(text: str) -> str:
    """Returns a file name for any text: readable if possible, never a path, never too long."""
    if len(text) <= _LONGEST_READABLE_NAME and text and all(character in _SAFE for character in text):
        return text
    data = text.encode("utf-8", "surrogatepass")
    digest = int.from_bytes(data + b"\1", "little") % (2**127 - 1)
    prefix = "".join(character if character in _SAFE else "_" for character in text[:_READABLE_PREFIX])
    return f"{prefix}.{digest:x}"


def session_folder(session: str) -> str:
    """Returns the name of a session's folder below each root."""
    return SESSION_PREFIX + safe_name(session)


def context_folder(agent_id: str) -> str:
    """Returns the name of a context's folder in its session's: one for each subagent, one for the session itself."""
    return "agent-" + safe_name(agent_id) if agent_id else "main"


def root_folders(home: str) -> list[str]:
    """Returns where claims may be: the user's private folder in the temporary directory, else in the data home."""
    temporary = environment("TMPDIR") or environment("TEMP") or "/tmp"
    if hasattr(system, "getuid"):
        return [f"{temporary.rstrip('/')}/lessons-{system.getuid()}", home_root(home)]
    # Windows reports neither owner nor permissions in the mode: a folder in the user's profile is private.
    from lessons.match.call import folder_key

    profile = environment("USERPROFILE")
    if profile and folder_key(temporary).lower().startswith(folder_key(profile).lower()):
        return [temporary.rstrip("/\\") + "/lessons", home_root(home)]
    return [home_root(home)]


def home_root(home: str) -> str:
    """Returns the root that every process of this data home shares, whatever its temporary directory."""
    return home + "/seen"


def existing_folders(home: str, place: str) -> list[str]:
    """Returns `place` below each private root of the user, in order; the folders themselves may be missing."""
    return [f"{root}/{place}" for root in root_folders(home) if is_own_folder(root)]


def session_folders(home: str, session: str) -> list[str]:
    """Returns the folder of a session below each such root; none for a session without a name."""
    return existing_folders(home, session_folder(session)) if session else []


def writable_folders(home: str, place: str) -> "Iterator[str]":
    """Yields a folder below each root, created if missing; ask for the next only if one fails."""
    for root in root_folders(home):
        if own_folder(root) and own_folder(f"{root}/{place}"):
            yield f"{root}/{place}"


def own_folder(path: str) -> bool:
    """Whether this folder belongs to the user and nobody else can write to it; creates it if missing."""
    try:
        make_private(path)
        return True
    except OSError:  # it exists or cannot be created
        return is_own_folder(path)


def is_own_folder(path: str) -> bool:
    try:
        status = system.lstat(path)
    except OSError:
        return False
    if status.st_mode & 0o170000 != 0o040000:
        return False
    # Without user ids the roots were chosen to be private, and the mode is 0o777 for every folder.
    return not hasattr(system, "getuid") or (status.st_uid == system.getuid() and not status.st_mode & 0o022)


def claim_below(roots: list[str], place: str, name: str, priority: int = 0, note: str = "") -> tuple[bool | None, str]:
    """Returns the result and the path of the claim.

    True: claimed now. False: claimed before. None: cannot be written anywhere. `place` is two folders deep. The first
    root that can be written to decides.
    """
    for root in roots:
        # Skips a folder that somebody else could have created.
        if not own_folder(root):
            continue
        path = f"{root}/{place}/{name}"
        created = create_claim(path, priority, note)
        if created is None and own_folder(f"{root}/{place.partition('/')[0]}") and own_folder(f"{root}/{place}"):
            created = create_claim(path, priority, note)
        if created is not None:
            return created, path
    return None, ""


def create_claim(path: str, priority: int = 0, note: str = "") -> bool | None:
    """Returns the state for one file. The priority fills the first line, so that it can be kept without the note."""
    try:
        file = system.open(path, system.O_WRONLY | system.O_CREAT | system.O_EXCL | O_BINARY, 0o600)
    except FileExistsError:
        return False
    except OSError:
        return None
    try:
        system.write(file, f"{priority:<{PRIORITY_BYTES - 1}}\n{note}".encode() if note else str(priority).encode())
    except OSError:
        pass  # the disk is full: the claim holds, only its priority is unknown
    finally:
        system.close(file)
    return True


def exists(path: str) -> bool:
    try:
        system.lstat(path)
        return True
    except OSError:
        return False


def modified_at(path: str) -> float:
    """Returns seconds since 1970; 0 if there is no such file."""
    try:
        return system.lstat(path).st_mtime
    except OSError:
        return 0.0


def read(path: str, most: int) -> bytes | None:
    """Returns the first bytes of a file; None if it cannot be read."""
    try:
        file = system.open(path, system.O_RDONLY | O_BINARY)
    except OSError:
        return None
    try:
        return system.read(file, most)
    except OSError:
        return None
    finally:
        system.close(file)


def write(path: str, data: bytes, mode: int) -> bool:
    """Returns whether all of it was written; `mode` is O_APPEND or O_TRUNC."""
    try:
        file = system.open(path, system.O_WRONLY | system.O_CREAT | mode | O_BINARY, 0o600)
    except OSError:
        return False
    try:
        return system.write(file, data) == len(data)
    except OSError:
        return False
    finally:
        system.close(file)


def truncate(path: str, length: int) -> None:
    try:
        file = system.open(path, system.O_WRONLY | O_BINARY)
        try:
            system.ftruncate(file, length)
        finally:
            system.close(file)
    except OSError:
        pass  # the next process tries again


def names_in(folder: str) -> list[str]:
    """Lists a folder of the user; any other folder counts as empty, so nothing in it is read or deleted."""
    try:
        return system.listdir(folder) if is_own_folder(folder) else []
    except OSError:
        return []


def remove(path: str) -> None:
    try:
        system.unlink(path)
    except OSError:
        pass  # another process was faster


def remove_oldest(folder: str, most: int) -> None:
    """Deletes all but the newest files of a folder."""
    paths = [f"{folder}/{name}" for name in names_in(folder)]
    for path in sorted(paths, key=modified_at)[:-most]:
        remove(path)
