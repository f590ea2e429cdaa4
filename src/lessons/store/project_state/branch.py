"""Reads the branch of a project from the repository's own files, without starting git."""

from lessons.system import O_BINARY, system

_HEADS = "ref: refs/heads/"
_MOST_BYTES = 4096
_LONGEST_NAME = 300


def current_branch(root: str) -> str:
    """Returns its name; `HEAD` if no branch is checked out, empty without a repository."""
    folder = _repository(root.rstrip("/") + "/.git", root)
    head = _text(folder + "/HEAD")
    if head.startswith(_HEADS):
        name = head[len(_HEADS) :]
        return "" if name == ".invalid" else name[:_LONGEST_NAME]  # written if branches are stored in tables
    if not head:
        return ""
    # No branch is checked out during a rebase; the work still belongs to the branch it started on.
    for state in ("/rebase-merge", "/rebase-apply"):
        name = _text(f"{folder}{state}/head-name")
        if name.startswith("refs/heads/"):
            return name[len("refs/heads/") :][:_LONGEST_NAME]
    return "HEAD"


def _repository(path: str, root: str) -> str:
    """Returns the folder of the repository: in a worktree or submodule a file says where it is."""
    content = _text(path)
    if not content.startswith("gitdir: "):
        return path
    place = content[len("gitdir: ") :]
    return place if place.startswith("/") or place[1:2] == ":" else f"{root.rstrip('/')}/{place}"


def _text(path: str) -> str:
    """Returns the only line of a small file; empty if it is not one."""
    try:
        file = system.open(path, system.O_RDONLY | O_BINARY | getattr(system, "O_NONBLOCK", 0))
    except OSError:
        return ""
    try:
        line = system.read(file, _MOST_BYTES).decode("utf-8", "replace").rstrip("\r\n")
    except OSError:  # it is a folder
        return ""
    finally:
        system.close(file)
    return line if all(character >= " " for character in line) else ""
