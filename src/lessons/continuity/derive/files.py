"""How the path of a file is kept, and which files were edited."""

from lessons.continuity.derive.texts import kept_line
from lessons.match.call import comparable, folder_key

_MOST_FILES = 30
_LONGEST_PATH = 300


def path_of(path: str, root: str) -> str:
    """A file that a call reads or changes, relative to the project where it is in it."""
    inside = folder_key(root) if root else ""
    if inside and comparable(path).startswith(inside):
        path = path[len(inside) :]
    return kept_line(path, _LONGEST_PATH)


def edited_after(edited: list[str], path: str) -> list[str]:
    """The latest last, each once."""
    return [*(each for each in edited if each != path), path][-_MOST_FILES:] if path else edited
