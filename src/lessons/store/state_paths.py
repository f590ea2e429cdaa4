"""Finds the project of a folder, its branch and state files, and whether the user excluded it; never waits; hot."""

from lessons import paths
from lessons.match.call import comparable, folder_key
from lessons.store.claims import exists, safe_name
from lessons.store.json_text import decode
from lessons.system import environment, open_regular, system

_DEEPEST = 64
_HEADS = "refs/heads/"
_MOST_HEAD_BYTES = 4096
_LONGEST_BRANCH = 300
LARGEST_FILE = 1 << 20


class StatePaths:
    """The locations of a project's files: in the project itself if the user set that up, else in the data home."""

    __slots__ = ("home", "hooks", "in_project", "own", "root", "sessions", "state")

    def __init__(self, home: str, root: str, in_project: bool | None = None) -> None:
        self.home = home
        self.root = root
        self.own = f"{paths.projects_folder(home)}/{project_id(root)}"
        self.in_project = _is_set_up(self.own, root) if in_project is None else in_project
        self.place(f"{root.rstrip('/')}/.claude" if self.in_project else self.own)

    def place(self, folder: str) -> None:
        self.hooks = folder + "/hooks"
        self.state = folder + "/state"
        self.sessions = self.state + "/sessions"

    def session(self, session_id: str) -> str:
        """Returns the folder of one session's own files."""
        return f"{self.sessions}/{safe_name(session_id)}"


def state_paths_of(home: str, cwd: str) -> StatePaths:
    return StatePaths(home, root_of(cwd))


def root_of(cwd: str) -> str:
    """Returns the nearest folder upwards with a repository (a worktree is a separate root), else the folder itself."""
    folder = here = cwd.rstrip("/\\") or "/"
    for _ in range(_DEEPEST):
        if exists(f"{folder}/.git"):
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
    mark = fields_of(mark_file(own))
    if mark.get("setUp") is not True or mark.get("root") != root:
        return False
    # A link in a repository must not redirect our files.
    return all(is_plain_folder(f"{root.rstrip('/')}/.claude{part}") for part in ("", "/hooks", "/state"))


def is_plain_folder(path: str) -> bool:
    try:
        return system.lstat(path).st_mode & 0o170000 == 0o040000
    except OSError:
        return False


def current_branch(root: str) -> str:
    """Returns its name, without starting git; `HEAD` if no branch is checked out, empty without a repository."""
    folder = git_folder(root)
    head = _line_of(folder + "/HEAD")
    if head.startswith("ref: " + _HEADS):
        name = head[len("ref: " + _HEADS) :]
        return "" if name == ".invalid" else name[:_LONGEST_BRANCH]  # written if branches are stored in tables
    if not head:
        return ""
    # No branch is checked out during a rebase; the work still belongs to the branch it started on.
    for state in ("/rebase-merge", "/rebase-apply"):
        name = _line_of(f"{folder}{state}/head-name")
        if name.startswith(_HEADS):
            return name[len(_HEADS) :][:_LONGEST_BRANCH]
    return "HEAD"


def git_folder(root: str) -> str:
    """Returns the folder of the repository: in a worktree or submodule a file says where it is."""
    path = root.rstrip("/") + "/.git"
    content = _line_of(path)
    if not content.startswith("gitdir: "):
        return path
    place = content[len("gitdir: ") :]
    if place.startswith("/") or place[1:2] == ":":
        return place
    folder = root.rstrip("/")
    while place.startswith("../"):
        folder, place = folder.rpartition("/")[0], place[len("../") :]
    return f"{folder}/{place}"


def _line_of(path: str) -> str:
    """Returns the only line of a small file; empty if it is not one."""
    line = _content(path, _MOST_HEAD_BYTES, 0).decode("utf-8", "replace").rstrip("\r\n")
    return line if all(character >= " " for character in line) else ""


def fields_of(path: str) -> dict[str, object]:
    """Returns no fields if it is missing, damaged, too large, or not a plain file: `lessons session` reports that."""
    try:
        value = decode(_content(path, LARGEST_FILE, getattr(system, "O_NOFOLLOW", 0)).decode("utf-8"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _content(path: str, most: int, flags: int) -> bytes:
    """Returns the content of a regular file, without waiting for a pipe; empty if it is larger or cannot be read."""
    try:
        with open_regular(path, flags) as file:
            return file.read() if system.fstat(file.fileno()).st_size <= most else b""
    except (OSError, ValueError):
        return b""


def text(fields: dict[str, object], name: str) -> str:
    """Returns a field as text; empty if missing or of another type."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def number(fields: dict[str, object], name: str) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) else 0


_VARIABLE = "LESSONS_EXCLUDE_PROJECTS"
_SEPARATOR = ":" if hasattr(system, "getuid") else ";"
_WORK_TREES = "/.git/worktrees/"
# The name of a folder in which `agents/ask.py` asks an agent starts and ends so.
QUESTION_PREFIX, QUESTION_SUFFIX = "lessons-learn-", ".tmp"


def is_excluded(patterns: "list[str] | tuple[str, ...]", cwd: str) -> bool:
    """Whether the user excluded the folder, or the repository of which it is a work tree."""
    if not patterns:
        return False
    folders = (cwd, repository_of(cwd))
    return any(covers(pattern, folder) for pattern in patterns for folder in folders if folder)


def is_of_question(folder: str) -> bool:
    """Whether a session in this folder is a question of ours: it is never read as the user's work."""
    if not folder.endswith(QUESTION_SUFFIX):
        return False
    return folder.replace("\\", "/").rpartition("/")[2].startswith(QUESTION_PREFIX)


def published_patterns(config: dict[str, object]) -> list[str]:
    """Returns the setting as the hook sees it: the agent's environment overrides the published value."""
    text = environment(_VARIABLE)
    if not text:
        published = config.get("excludeProjects")
        return published if isinstance(published, list) else []
    try:
        listed = decode(text) if text.startswith("[") else text.split(_SEPARATOR)
    except (ValueError, RecursionError):
        listed = [text]
    words = [word for word in listed if isinstance(word, str) and word] if isinstance(listed, list) else []
    home = environment("HOME") or environment("USERPROFILE")
    full = [home + word[1:] if word[:2] in ("~", "~/", "~\\") else word for word in words]
    return [comparable(word).rstrip("/") or "/" for word in full]


def covers(pattern: str, folder: str) -> bool:
    """A path covers everything below it, a name every folder of that name, a pattern what it matches and all below."""
    folder = comparable(folder)
    if is_pattern(pattern):
        from fnmatch import fnmatchcase  # imported late: it takes time, and few people write patterns

        return fnmatchcase(folder, pattern) or fnmatchcase(folder, pattern + "/*")
    if "/" not in pattern:
        return pattern in folder.split("/")
    return folder_key(folder).startswith(folder_key(pattern))


def is_pattern(text: str) -> bool:
    return any(sign in text for sign in "*?[")


def repository_of(cwd: str) -> str:
    """Returns the main folder of the repository that a folder is in, also for a linked work tree."""
    root = root_of(cwd)
    main, is_work_tree, _ = git_folder(root).replace("\\", "/").partition(_WORK_TREES)
    return main if is_work_tree else root
