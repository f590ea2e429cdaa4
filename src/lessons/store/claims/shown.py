"""A context (session and subagent) and a lesson in, whether the lesson may act there now out; exactly one asker wins.

Three layers: the variable LESSONS_SEEN, a file per lesson in the context's own folder under the temporary
directory, and that file's exclusive creation, which only one of several parallel processes can do.
"""

import time

from lessons.system import O_BINARY, environment, system

_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
SESSION = "session-"
PRIORITY_BYTES = 16
_PARALLEL_SECONDS = 1.0


def safe_name(text: str) -> str:
    """A file name for any text: readable where it can be, never a path, never longer than a file name may be."""
    if len(text) <= 100 and text and all(character in _SAFE for character in text):
        return text
    data = text.encode("utf-8", "surrogatepass")
    digest = int.from_bytes(data + b"\1", "little") % (2**127 - 1)
    kept = "".join(character if character in _SAFE else "_" for character in text[:40])
    return f"{kept}.{digest:x}"


def root_folders(home: str) -> list[str]:
    """Where contexts may live: the user's own folder in the temporary directory, else in the data home."""
    temporary = environment("TMPDIR") or environment("TEMP") or "/tmp"
    if hasattr(system, "getuid"):
        return [f"{temporary.rstrip('/')}/lessons-{system.getuid()}", home + "/seen"]
    # Windows tells no owner and no rights by the mode: what lies in the user's profile is the user's own.
    from lessons.match.call import folder_key

    profile = environment("USERPROFILE")
    if profile and folder_key(temporary).lower().startswith(folder_key(profile).lower()):
        return [temporary.rstrip("/\\") + "/lessons", home + "/seen"]
    return [home + "/seen"]


def session_folder(session: str) -> str:
    return SESSION + safe_name(session)


class Context:
    """The memory of what one context has been shown; without a session nothing is remembered."""

    def __init__(self, home: str, session: str, agent_id: str, scope: str = "context") -> None:
        part = "main" if scope == "session" or not agent_id else "agent-" + safe_name(agent_id)
        self._place = f"{session_folder(session)}/{part}" if session else ""
        self._roots = root_folders(home)
        self._environment = frozenset(environment("LESSONS_SEEN").split(","))

    def has(self, slug: str) -> bool:
        """Whether the lesson was shown here before."""
        return self.is_certain(slug) or self._remembers(safe_name(slug))

    def is_certain(self, slug: str) -> bool:
        """Whether it surely arrived: the variable says so, or a stop, whose reason always does."""
        return slug in self._environment or self._remembers(_stop_name(slug))

    def _remembers(self, name: str) -> bool:
        return any(_exists(f"{folder}/{name}") for folder in self.folders())

    def claim(self, slug: str, priority: int) -> bool:
        """True for exactly one of all who ask; False where it cannot be remembered."""
        return not self._place or bool(_create(self._roots, self._place, safe_name(slug), priority, self.note()))

    def note(self) -> str:
        """What a claim shall keep of the call it is made for (`reclaim` asks for it later); here nothing."""
        return ""

    def folders(self) -> list[str]:
        """Where the claims of this context may lie."""
        return [f"{root}/{self._place}" for root in self._roots if is_own_folder(root)] if self._place else []

    def stops(self, slug: str, priority: int) -> bool:
        """Whether to stop this call: the first of the context, and those issued together with it."""
        if not self._place or slug in self._environment:
            return False
        created = _create(self._roots, self._place, _stop_name(slug), priority)
        return created is True or (created is False and self._just_made(slug))

    def _just_made(self, slug: str) -> bool:
        for root in self._roots:
            if not is_own_folder(root):
                continue
            try:
                made = system.stat(f"{root}/{self._place}/{_stop_name(slug)}").st_mtime
            except OSError:
                continue
            return abs(time.time() - made) < _PARALLEL_SECONDS
        return False


def _stop_name(slug: str) -> str:
    """A stop is remembered apart: a lesson that was shown after an error still stops the first call."""
    return safe_name(slug) + ".stop"


def spend(home: str, identifier: str) -> bool:
    """True for exactly one call: the pass is spent from then on, for every session and agent of this home."""
    return _create([home + "/seen"], "passes/spent", safe_name(identifier), 0) is True


def is_spent(home: str, identifier: str) -> bool:
    return _exists(f"{home}/seen/passes/spent/{safe_name(identifier)}")


def _create(roots: list[str], place: str, name: str, priority: int, note: str = "") -> bool | None:
    """True: made just now. False: was there. None: cannot be written anywhere."""
    for root in roots:
        # A folder that somebody else could have laid out is not believed.
        if not own_folder(root):
            continue
        path = f"{root}/{place}/{name}"
        created = create_claim(path, priority, note)
        if created is None and own_folder(f"{root}/{place.partition('/')[0]}") and own_folder(f"{root}/{place}"):
            created = create_claim(path, priority, note)
        if created is not None:
            return created
    return None


def create_claim(path: str, priority: int, note: str) -> bool | None:
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


def own_folder(path: str) -> bool:
    """Whether this is a folder of the user's own that nobody else can write, making it where it is missing."""
    try:
        system.mkdir(path, 0o700)
        return True
    except OSError:  # it is there, or cannot be made
        return is_own_folder(path)


def is_own_folder(path: str) -> bool:
    try:
        status = system.lstat(path)
    except OSError:
        return False
    if status.st_mode & 0o170000 != 0o040000:
        return False
    # Without user ids the roots were chosen so that they are the user's own, and the mode says 0o777 of every folder.
    return not hasattr(system, "getuid") or (status.st_uid == system.getuid() and not status.st_mode & 0o022)


def _exists(path: str) -> bool:
    try:
        system.stat(path)
        return True
    except OSError:
        return False
