"""A pair in, whether the same command worked in another folder out."""

from lessons.capture.signals.pair import Pair, similarity
from lessons.episode import Change

_FOLDER_OPTIONS = frozenset(("-C", "--prefix", "--cwd", "--dir", "--directory", "--project-dir", "--chdir"))
_SAME = 0.8


def change(pair: Pair) -> Change | None:
    """The same words after `cd`, without a `cd`, or with an option that names the folder."""
    before, after = pair.words()
    if not before or not after or before[0] != after[0]:
        return None
    if similarity(before, after) >= _SAME:
        one, other = _folder(pair.folder, pair.failed.folders), _folder(pair.fixed_folder, pair.fixed.folders)
        if one != other and other:
            return Change("wrong-path", f"cd {one}" if one else "", f"cd {other}")
    added = [word for word in after if word not in before]
    if len(added) == 2 and added[0] in _FOLDER_OPTIONS and similarity(before, after[:1] + before[1:]) == 1.0:
        return Change("wrong-path", "", " ".join(added))
    return None


def _folder(cwd: str, folders: tuple[str, ...]) -> str:
    """Where the command ran, as far as it is told."""
    for folder in folders:
        cwd = folder if folder.startswith(("/", "~", "$")) or not cwd else f"{cwd.rstrip('/')}/{folder}"
    return cwd.rstrip("/")
