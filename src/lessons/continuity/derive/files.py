"""The path that a call names in, the file as it is kept, and the files edited so far out."""

from lessons.continuity.derive.texts import kept_line, text_at
from lessons.match.call import comparable, folder_key

_MOST = 30
_LONGEST = 300


def path_of(arguments: dict[object, object], root: str) -> str:
    """The file that a call reads or changes, relative to the project where it is in it."""
    path = text_at(arguments, "file_path", "notebook_path", "path")
    inside = folder_key(root) if root else ""
    if inside and comparable(path).startswith(inside):
        path = path[len(inside) :]
    return kept_line(path, _LONGEST)


def edited_after(edited: list[str], path: str) -> list[str]:
    """The latest last, each once."""
    return [*(each for each in edited if each != path), path][-_MOST:] if path else edited
