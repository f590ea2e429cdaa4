"""Finds the project of a folder, and the location of its state and that of its sessions."""

from lessons import paths
from lessons.store.claims.claim_files import safe_name
from lessons.store.json_text import decode
from lessons.system import O_BINARY, system

_DEEPEST = 64
_LARGEST_MARK = 65_536


class StatePaths:
    """The locations of a project's files: in the project itself if the user set that up, else in the data home."""

    __slots__ = ("home", "hooks", "in_project", "own", "root", "state")

    def __init__(self, home: str, root: str) -> None:
        self.home = home
        self.root = root
        self.own = f"{paths.projects_folder(home)}/{project_id(root)}"
        self.in_project = _is_set_up(self.own, root)
        base = f"{root.rstrip('/')}/.claude" if self.in_project else self.own
        self.hooks = base + "/hooks"
        self.state = base + "/state"

    def session(self, session_id: str) -> str:
        """Returns the folder of one session's own files."""
        return f"{self.state}/sessions/{safe_name(session_id)}"


def state_paths_of(home: str, cwd: str) -> StatePaths:
    return StatePaths(home, root_of(cwd))


def root_of(cwd: str) -> str:
    """Returns the nearest folder upwards with a repository (a worktree is a separate root), else the folder itself."""
    folder = here = cwd.rstrip("/\\") or "/"
    for _ in range(_DEEPEST):
        if _exists(f"{folder}/.git"):
            return folder
        cut = max(folder.rfind("/"), folder.rfind("\\"))
        if cut <= 0:
            break
        folder = folder[:cut]
    return here


def project_id(root: str) -> str:
    """Returns a name for the project's folder in the data home: its own name, and a digest of its path."""
    name = root.replace("\\", "/").rstrip("/").rpartition("/")[2]
    digest = safe_name(root + "/").rpartition(".")[2]
    return f"{safe_name(name).partition('.')[0][:40]}-{digest}"


def mark_file(own: str) -> str:
    """Returns the file with the user's decision about this project; nothing in a repository is trusted for that."""
    return own + "/project.json"


def _is_set_up(own: str, root: str) -> bool:
    try:
        file = system.open(mark_file(own), system.O_RDONLY | O_BINARY)
        try:
            mark = decode(system.read(file, _LARGEST_MARK).decode("utf-8", "replace"))
        finally:
            system.close(file)
    except (OSError, ValueError, RecursionError):
        return False
    if not isinstance(mark, dict) or mark.get("setUp") is not True or mark.get("root") != root:
        return False
    # A link in a repository must not redirect our files.
    return all(_is_plain_folder(f"{root.rstrip('/')}/.claude{part}") for part in ("", "/hooks", "/state"))


def _is_plain_folder(path: str) -> bool:
    try:
        return system.lstat(path).st_mode & 0o170000 == 0o040000
    except OSError:
        return False


def _exists(path: str) -> bool:
    try:
        system.lstat(path)
        return True
    except (OSError, ValueError):  # also for a name that no file can have
        return False
