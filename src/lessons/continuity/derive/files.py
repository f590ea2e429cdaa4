"""The path of a file in, the file as it is kept, and the files edited so far out."""

from lessons.continuity.derive.texts import kept_line
from lessons.match.call import comparable, folder_key

_MOST = 30
_LONGEST = 300


def path_of(path: str, root: str) -> str:
    """A file that a call reads or changes, relative to the project where it is in it."""
    inside = folder_key(root) if root else ""
    if inside and comparable(path).startswith(inside):
        path = path[len(inside) :]
    return kept_line(path, _LONGEST)


def edited_after(edited: list[str], path: str) -> list[str]:
    """The latest last, each once."""
    return [*(each for each in edited if each != path), path][-_MOST:] if path else edited
