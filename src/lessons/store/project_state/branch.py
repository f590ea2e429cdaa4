"""The branch that a project is on, read from the repository's own files without starting git."""

from lessons.system import O_BINARY, system

_HEADS = "ref: refs/heads/"
_MOST_BYTES = 4096
_LONGEST_NAME = 300


def current_branch(root: str) -> str:
    """Its name; `HEAD` where no branch is checked out, nothing where there is no repository."""
    folder = _repository(root.rstrip("/") + "/.git", root)
    head = _text(folder + "/HEAD")
    if head.startswith(_HEADS):
        name = head[len(_HEADS) :]
        return "" if name == ".invalid" else name[:_LONGEST_NAME]  # what stands there where branches are kept in tables
    if not head:
        return ""
    # While a rebase runs no branch is checked out; the work still is that of the branch it began on.
    for state in ("/rebase-merge", "/rebase-apply"):
        name = _text(f"{folder}{state}/head-name")
        if name.startswith("refs/heads/"):
            return name[len("refs/heads/") :][:_LONGEST_NAME]
    return "HEAD"


def _repository(path: str, root: str) -> str:
    """The folder of the repository: of a worktree and a submodule a file tells where it is."""
    told = _text(path)
    if not told.startswith("gitdir: "):
        return path
    place = told[len("gitdir: ") :]
    return place if place.startswith("/") or place[1:2] == ":" else f"{root.rstrip('/')}/{place}"


def _text(path: str) -> str:
    """The one line of a small file; nothing where it is none."""
    try:
        file = system.open(path, system.O_RDONLY | O_BINARY | getattr(system, "O_NONBLOCK", 0))
    except OSError:
        return ""
    try:
        line = system.read(file, _MOST_BYTES).decode("utf-8", "replace").rstrip("\r\n")
    except OSError:  # a folder
        return ""
    finally:
        system.close(file)
    return line if all(character >= " " for character in line) else ""
