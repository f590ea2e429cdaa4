"""How file paths are stored, and which files were edited."""

from lessons.continuity.derive.texts import kept_line
from lessons.match.call import comparable, folder_key

_MOST_FILES = 30
_LONGEST_PATH = 300


def path_of(path: str, root: str) -> str:
    """Returns the path of a file that a call reads or changes, relative to the project if inside it."""
    inside = folder_key(root) if root else ""
    if inside and comparable(path).startswith(inside):
        path = path[len(inside) :]
    return kept_line(path, _LONGEST_PATH)


def edited_after(edited: list[str], path: str) -> list[str]:
    """Returns each file once, latest last."""
    return [*(each for each in edited if each != path), path][-_MOST_FILES:] if path else edited
