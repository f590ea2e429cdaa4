"""The files behind every claim: who may trust a folder, how a text becomes a file name, how exactly one process wins.

Claims live in a folder of the user's own under the temporary directory, else in the data home, one folder per session.
A file is claimed by creating it exclusively, which only one of several parallel processes can do.
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
    """A file name for any text: readable where possible, never a path, never longer than a file name may be."""
    if len(text) <= _LONGEST_READABLE_NAME and text and all(character in _SAFE for character in text):
        return text
    data = text.encode("utf-8", "surrogatepass")
    digest = int.from_bytes(data + b"\1", "little") % (2**127 - 1)
    prefix = "".join(character if character in _SAFE else "_" for character in text[:_READABLE_PREFIX])
    return f"{prefix}.{digest:x}"


def session_folder(session: str) -> str:
    """The name of a session's folder below each root."""
    return SESSION_PREFIX + safe_name(session)


def context_folder(agent_id: str) -> str:
    """The name of a context's folder below its session's: one for each subagent, one for the session itself."""
    return "agent-" + safe_name(agent_id) if agent_id else "main"


def root_folders(home: str) -> list[str]:
    """Where claims may live: the user's own folder in the temporary directory, else in the data home."""
    temporary = environment("TMPDIR") or environment("TEMP") or "/tmp"
    if hasattr(system, "getuid"):
        return [f"{temporary.rstrip('/')}/lessons-{system.getuid()}", home_root(home)]
    # Windows reports neither owner nor permissions in the mode: what is in the user's profile is the user's own.
    from lessons.match.call import folder_key

    profile = environment("USERPROFILE")
    if profile and folder_key(temporary).lower().startswith(folder_key(profile).lower()):
        return [temporary.rstrip("/\\") + "/lessons", home_root(home)]
    return [home_root(home)]


def home_root(home: str) -> str:
    """The root that every process of this data home shares, whatever its temporary directory."""
    return home + "/seen"


def existing_folders(home: str, place: str) -> list[str]:
    """`place` below each root that is the user's own, in order; the folders themselves may be missing."""
    return [f"{root}/{place}" for root in root_folders(home) if is_own_folder(root)]


def session_folders(home: str, session: str) -> list[str]:
    """The folder of a session below each such root; none for a session without a name."""
    return existing_folders(home, session_folder(session)) if session else []


def writable_folders(home: str, place: str) -> "Iterator[str]":
    """One folder below each root in turn, created where it is missing; ask for the next only when one fails."""
    for root in root_folders(home):
        if own_folder(root) and own_folder(f"{root}/{place}"):
            yield f"{root}/{place}"


def own_folder(path: str) -> bool:
    """Whether this is a folder of the user's own that nobody else can write to; created where it is missing."""
    try:
        make_private(path)
        return True
    except OSError:  # it exists, or cannot be created
        return is_own_folder(path)


def is_own_folder(path: str) -> bool:
    try:
        status = system.lstat(path)
    except OSError:
        return False
    if status.st_mode & 0o170000 != 0o040000:
        return False
    # Without user ids the roots were chosen so that they are the user's own, and the mode is 0o777 for every folder.
    return not hasattr(system, "getuid") or (status.st_uid == system.getuid() and not status.st_mode & 0o022)


def claim_below(roots: list[str], place: str, name: str, priority: int = 0, note: str = "") -> tuple[bool | None, str]:
    """True: claimed now. False: was claimed before. None: cannot be written anywhere. And the path of the claim.

    `place` is two folders deep. The first root that can be written to decides.
    """
    for root in roots:
        # A folder that somebody else could have created is not trusted.
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
    """The same for one file. The priority fills the first line, so that it can be read and kept without the note."""
    try:
        file = system.open(path, system.O_WRONLY | system.O_CREAT | system.O_EXCL | O_BINARY, 0o600)
    except FileExistsError:
        return False
    except OSError:
        return None
    try:
        system.write(file, f"{priority:<{PRIORITY_BYTES - 1}}\n{note}".encode() if note else str(priority).encode())
    except OSError:
        pass  # a full disk: the claim stands, only its priority is unknown
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
    """Seconds since 1970; 0 where there is no such file."""
    try:
        return system.lstat(path).st_mtime
    except OSError:
        return 0.0


def read(path: str, most: int) -> bytes | None:
    """The first bytes of a file; None where it cannot be read."""
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
    """Whether all of it was written; `mode` is O_APPEND or O_TRUNC."""
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
    """What is in a folder of the user's own; of any other folder nothing is read and nothing deleted."""
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
