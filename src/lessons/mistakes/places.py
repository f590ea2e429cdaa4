"""Finds a relative path that is missing where the command runs and exists from a folder above, up to the root.

The commands come from `shell.places`, which skips those whose folder is unknown and those after a command that may
create files.
"""

from lessons.shell.places import joined, read_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from lessons.shell.command import Command

    class Probe(Protocol):
        """Questions about a machine; None means unknown."""

        def exists(self, path: str) -> bool | None: ...


_MOST_ABOVE = 32
_MOST_BYTES = 300


class Misplaced:
    """A path as written, the folder where it is missing, and the nearest folder above from which it exists."""

    __slots__ = ("above", "folder", "has_moved", "path")

    def __init__(self, path: str, folder: str, above: str, has_moved: bool) -> None:
        self.path = path
        self.folder = folder
        self.above = above
        self.has_moved = has_moved  # by a `cd` of the same line

    def words(self) -> str:
        """Returns one line for the agent; empty if it would be too long, or more than one line."""
        where = "where the shell is after its `cd`" if self.has_moved else "where the shell is"
        text = f"`{self.path}` does not exist in {self.folder}, {where}; it exists in {self.above}"
        if joined(self.above, self.path) == self.folder:
            text += ": the shell is already there"
        is_short = len(text.encode("utf-8", "replace")) < _MOST_BYTES
        return f"{text}." if is_short and text.isprintable() else ""


def misplaced(
    places: "list[Command]", start: str, root: str, probe: "Probe", has_run: bool = False
) -> "Misplaced | None":
    """Returns the first such path in the commands of a line.

    `start` is the folder in which the line starts, `root` that of its project. `has_run`: the line has run already, so
    what a command removed does not count.
    """
    for place in places:
        folder = place.folder
        if not is_below(folder, root) or probe.exists(folder) is not True:
            continue
        for word in read_paths(place.arguments, has_run):
            if above := found_above(word, folder, root, probe):
                return Misplaced(word, folder, above, folder != start)
    return None


def found_above(word: str, folder: str, root: str, probe: "Probe") -> str:
    """Returns the nearest folder above from which the word exists, if it is missing in the folder; else nothing."""
    path = joined(folder, word)
    if path is None or probe.exists(path) is not False:
        return ""
    above = folder
    for _ in range(_MOST_ABOVE):
        if above == root:
            break
        above = above.rpartition("/")[0] or "/"
        path = joined(above, word)
        if path is not None and is_below(path, root) and probe.exists(path):
            return above
    return ""


def is_below(path: str, root: str) -> bool:
    return f"{path}/".startswith(root.rstrip("/") + "/")
