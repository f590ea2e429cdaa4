"""Remembers what each session was shown, so that each lesson acts once; one folder per session.

Claims are in a private folder of the user in the temporary directory, else in the data home. A file is claimed by
creating it exclusively, which only one of several parallel processes can do. Three layers say whether a lesson was
shown: the variable LESSONS_SEEN, a file per lesson in the context's own folder, and that file's exclusive creation.
"""

import time

from lessons.system import O_BINARY, environment, make_private, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SESSION_PREFIX = "session-"
PRIORITY_BYTES = 16
_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
_LONGEST_READABLE_NAME = 100
_READABLE_PREFIX = 40
_LONGEST_TEXT = 8192
_PARALLEL_SECONDS = 1.0
_NOTICES = "told"
_SPENT_PASSES = "passes/spent"
# If a client never reports that a text arrived, the lesson must not be shown at every call.
MOST_CLAIMS = 5
_FORGET_AFTER_SECONDS = 14 * 24 * 3600


def safe_name(text: str) -> str:
    """Returns a file name for any text: readable if possible, never a path, never too long."""
    if len(text) <= _LONGEST_READABLE_NAME and text and all(character in _SAFE for character in text):
        return text
    data = text.encode("utf-8", "surrogatepass")
    digest = int.from_bytes(data + b"\1", "little") % (2**127 - 1)
    prefix = "".join(character if character in _SAFE else "_" for character in text[:_READABLE_PREFIX])
    return f"{prefix}.{digest:x}"


def session_folder(session: str) -> str:
    return SESSION_PREFIX + safe_name(session)


def context_folder(agent_id: str) -> str:
    """Returns the name of a context's folder in its session's: one for each subagent, one for the session itself."""
    return "agent-" + safe_name(agent_id) if agent_id else "main"


def root_folders(home: str) -> list[str]:
    """Returns where claims may be: the user's private folder in the temporary directory, else in the data home."""
    # Windows reports neither owner nor permissions in the mode: only the data home is known to be private.
    if not hasattr(system, "getuid"):
        return [home_root(home)]
    temporary = environment("TMPDIR") or "/tmp"
    return [f"{temporary.rstrip('/')}/lessons-{system.getuid()}", home_root(home)]


def home_root(home: str) -> str:
    """Returns the root that every process of this data home shares, whatever its temporary directory."""
    return home + "/seen"


def folder_of(home: str, session: str, part: str = "") -> str:
    """Returns the folder of a session, or of a part of it, which may be missing; empty if nothing can be remembered.

    It is in the first root that is the user's own: the folder of somebody else is never believed.
    """
    root = next(filter(own_folder, root_folders(home)), "") if session else ""
    return root and f"{root}/{session_folder(session)}{part and '/'}{part}"


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
    # Without user ids the only root is in the data home, and the mode is 0o777 for every folder.
    return not hasattr(system, "getuid") or (status.st_uid == system.getuid() and not status.st_mode & 0o022)


def claim(folder: str, name: str, priority: int = 0, note: str = "") -> bool | None:
    """Returns True: claimed now. False: claimed before. None: cannot be written. The folder is two below a root."""
    created = create_claim(f"{folder}/{name}", priority, note) if folder else None
    if created is None and folder and own_folder(folder.rpartition("/")[0]) and own_folder(folder):
        return create_claim(f"{folder}/{name}", priority, note)
    return created


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
    except (OSError, ValueError):  # also for a name that no file can have
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


# What later events of a session need to know: its model, and the project in which it started.


def remember(home: str, session: str, name: str, text: str) -> None:
    data, folder = text.encode("utf-8", "surrogatepass"), folder_of(home, session)
    if 0 < len(data) <= _LONGEST_TEXT and folder and own_folder(folder):
        write(f"{folder}/{name}", data, system.O_TRUNC)


def remembered(home: str, session: str, name: str) -> str:
    """Returns the text; empty if nothing was stored."""
    folder = folder_of(home, session)
    data = read(f"{folder}/{name}", _LONGEST_TEXT) if folder else None
    try:
        return (data or b"").decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:  # damaged
        return ""


def claim_notice(home: str, session: str, name: str) -> bool:
    """Returns True once per session; False if it cannot be remembered, rather than True at each call."""
    return name != "" and claim(folder_of(home, session, _NOTICES), safe_name(name)) is True


# Which lessons and notices a context (session and subagent) was shown.


class Context:
    """Remembers what one context was shown; nothing without a session."""

    def __init__(self, home: str, session: str, agent_id: str, scope: str = "context") -> None:
        self._session = session
        self._folder = folder_of(home, session, context_folder("" if scope == "session" else agent_id))
        self._environment = frozenset(environment("LESSONS_SEEN").split(","))

    def has(self, slug: str) -> bool:
        return self.is_certain(slug) or self._remembers(safe_name(slug))

    def is_certain(self, slug: str) -> bool:
        """Whether it certainly arrived: the variable says so, or there was a stop, whose reason always arrives."""
        return slug in self._environment or self._remembers(_stop_name(slug))

    def _remembers(self, name: str) -> bool:
        return self._folder != "" and exists(f"{self._folder}/{name}")

    def claim(self, slug: str, priority: int, note: str = "") -> bool:
        """Returns True for exactly one of all callers; False if it cannot be remembered.

        The claim stores `note`, by which it is decided later whether the text arrived.
        """
        return not self._session or claim(self._folder, safe_name(slug), priority, note) is True

    def stops(
        self, slug: str, priority: int, note: str = "", is_answer: "Callable[[str], bool]" = lambda stopped: False
    ) -> bool:
        """Whether to stop this call: the first of the context, and those issued together with it.

        The claim stores `note` about the stopped call. From it, `is_answer` decides whether this call is the model's
        answer to the stop, however soon it comes.
        """
        if slug in self._environment:
            return False
        created = claim(self._folder, _stop_name(slug), priority, note)
        return created is True or (created is False and self._was_issued_with(slug, is_answer))

    def _was_issued_with(self, slug: str, is_answer: "Callable[[str], bool]") -> bool:
        file = f"{self._folder}/{_stop_name(slug)}"
        return abs(time.time() - modified_at(file)) < _PARALLEL_SECONDS and not is_answer(_note_in(file))

    def note_of(self, slug: str) -> str:
        """Returns what the last claim stores about its call; empty if it is settled, or no further claim is allowed."""
        claims = self._claims(slug)
        return _note_in(claims[-1]) if claims and len(claims) < MOST_CLAIMS else ""

    def settle(self, slug: str) -> None:
        """Records that the text arrived: the claim holds, and nobody has to check again."""
        for claim in self._claims(slug)[-1:]:
            truncate(claim, PRIORITY_BYTES)

    def take_over(self, slug: str, priority: int, lost: str, note: str) -> bool:
        """Returns True for exactly one of all callers that saw the note `lost` in the last claim."""
        claims = self._claims(slug)
        # Another call may have claimed it since this one checked: then the last claim is not the lost one.
        if not claims or self.note_of(slug) != lost:
            return False
        return create_claim(f"{claims[0]}.claim{len(claims) + 1}", priority, note) is True

    def _claims(self, slug: str) -> list[str]:
        """Returns the claim files of the lesson in this context, last one last."""
        if not self._remembers(safe_name(slug)):
            return []
        first = f"{self._folder}/{safe_name(slug)}"
        return [first, *filter(exists, (f"{first}.claim{number}" for number in range(2, MOST_CLAIMS + 1)))]


def _note_in(path: str) -> str:
    return (read(path, PRIORITY_BYTES + _LONGEST_TEXT) or b"")[PRIORITY_BYTES:].decode("utf-8", "replace")


def _stop_name(slug: str) -> str:
    """Returns a separate name for stops: a lesson shown after an error still stops the first call."""
    return safe_name(slug) + ".stop"


def spend(home: str, identifier: str) -> bool:
    """Returns True for exactly one call: after that the pass is used up, for every session and agent of this home."""
    root = home_root(home)
    return own_folder(root) and claim(f"{root}/{_SPENT_PASSES}", safe_name(identifier)) is True


def is_spent(home: str, identifier: str) -> bool:
    return exists(f"{home_root(home)}/{_SPENT_PASSES}/{safe_name(identifier)}")


# What a session was shown is cleared, or re-armed after a compaction.


def forget_session(home: str, session: str) -> None:
    for root in filter(is_own_folder, root_folders(home) if session else ()):
        clear(f"{root}/{session_folder(session)}")


def rearm_above(home: str, session: str, threshold: int, agent_id: str = "") -> None:
    """Lets lessons above this priority be shown again in a context (subagent or main) after a compaction."""
    context = folder_of(home, session, context_folder(agent_id))
    for name in names_in(context) if context else ():
        if _priority_in(f"{context}/{name}") > threshold:
            remove(f"{context}/{name}")


def forget_old_sessions(home: str, now: float) -> None:
    """Deletes the memory of sessions that were not used for two weeks."""
    for root in root_folders(home):
        for folder in (f"{root}/{name}" for name in names_in(root) if name.startswith(SESSION_PREFIX)):
            # Events in a context change the time of its own folder, not of the session's.
            newest = max(modified_at(path) for path in (folder, *(f"{folder}/{part}" for part in names_in(folder))))
            if now - newest > _FORGET_AFTER_SECONDS:
                clear(folder)


def clear(folder: str) -> None:
    for part in names_in(folder):
        for name in names_in(f"{folder}/{part}"):
            remove(f"{folder}/{part}/{name}")
        try:
            system.rmdir(f"{folder}/{part}")
        except OSError:
            remove(f"{folder}/{part}")
    try:
        system.rmdir(folder)
    except OSError:
        pass


def _priority_in(path: str) -> int:
    try:
        return int(read(path, PRIORITY_BYTES) or b"0")
    except ValueError:
        return 0
