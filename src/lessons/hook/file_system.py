"""Answers about files and programs, for conditions of lessons; a question costs one `stat`, or a call of git."""

from lessons.system import environment, system

# No lesson needs as many: a line with hundreds of words must not delay the agent.
_MOST_QUESTIONS = 200
_DEEPEST_FOLDER = 32
_MOST_PATH_ENTRIES = 64
_IS_POSIX = hasattr(system, "getuid")
_KIND, _FILE, _EXECUTABLE = 0o170000, 0o100000, 0o111


class FileSystem:
    """Asks the system at most once about each path; None if unknown."""

    __slots__ = ("_known", "_left", "_roots")

    def __init__(self) -> None:
        self._known: dict[str, int | None] = {}
        self._left = _MOST_QUESTIONS
        self._roots: dict[str, str | None] = {}

    def exists(self, path: str) -> bool | None:
        mode = self._mode(path)
        return None if mode is None else mode != 0

    def which(self, program: str) -> bool | None:
        entries = [entry for entry in environment("PATH").split(":") if entry]
        if not _IS_POSIX or not entries or len(entries) > _MOST_PATH_ENTRIES:
            return None
        modes = [self._mode(f"{entry}/{program}") for entry in entries]
        if any(mode is not None and mode & _KIND == _FILE and mode & _EXECUTABLE for mode in modes):
            return True
        return None if None in modes else False

    def root(self, folder: str) -> str | None:
        """Returns the nearest folder at or above with a `.git`, which is a file in a linked worktree."""
        if folder not in self._roots:
            self._roots[folder] = self._found_root(folder)
        return self._roots[folder]

    def _found_root(self, folder: str) -> str | None:
        for _ in range(_DEEPEST_FOLDER):
            there = self.exists(f"{folder.rstrip('/')}/.git")
            if there is not False:
                return folder if there else None
            above = folder.rpartition("/")[0] or "/"
            if above == folder or "/" not in folder:
                return None
            folder = above
        return None

    def dirty(self, folder: str, kind: str) -> bool | None:
        """Asks git, which takes some milliseconds: only where a pattern of such a lesson has matched."""
        root = self.root(folder)
        if root is None:
            return None
        from lessons.continuity import git

        return git.has_uncommitted(root, folder, kind)

    def project_root(self, folder: str) -> str:
        """Returns the root of the folder's repository, else the project that the client names if that is above it."""
        root = self.root(folder)
        if root is not None:
            return root
        project = environment("CLAUDE_PROJECT_DIR").replace("\\", "/").rstrip("/")
        return project if project and f"{folder}/".startswith(f"{project}/") else ""

    def _mode(self, path: str) -> int | None:
        """Returns file type and permissions, 0 if missing, None if unknown."""
        if path not in self._known:
            self._left -= 1
            self._known[path] = _asked(path) if self._left >= 0 else None
        return self._known[path]


def _asked(path: str) -> int | None:
    if path[:1] == "~":
        home = environment("HOME")
        if not home:
            return None
        path = home + path[1:]
    try:
        return system.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0
    except (OSError, ValueError):  # no permission, a name that is too long, a null character
        return None
