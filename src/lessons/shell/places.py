"""A shell line and its start folder in, the commands out for which it is certain where they run.

Skips a command whose surroundings are not clear from the text: inside brackets, loops and scripts of other shells, or
after programs that run it elsewhere. Also skips it in a folder named by a variable, and after a command that may create
files or programs. The same applies where the line itself checks for what is missing or expects a failure.
"""

from lessons.shell.assignments import after_assignments
from lessons.shell.looking import CHANGE_FOLDER, LOOK
from lessons.shell.steps import GIVES_UP, Step, steps

_LONGEST_LINE = 65_536
_LONGEST_PATH = 1024  # real paths are shorter; the limit keeps a hostile line from slowing the hook
# The shell replaces these, or they were blanked: such a word does not show which file is meant.
_NOT_PLAIN = "$`*?[]{}()<>|&;\"'\\\n\r\t\0"
OF_CD = ("--", "-L", "-P", "-e", "-LP", "-PL")
# They check nothing that a later command could need, so `&&` after them is not a check.
_NO_CHECK = frozenset(
    "cd pushd echo printf sleep true set wait pwd date whoami hostname uname id env printenv git".split()
)
_ENDS_OF_LIST = ("", ";", "\n", "&")


class Place:
    """A simple command: its texts as triggers see them, its words, its folder and its position in the line."""

    __slots__ = ("begin", "end", "folder", "texts", "words")

    def __init__(self, texts: list[str], words: list[str], folder: str, begin: int, end: int) -> None:
        self.texts = texts
        self.words = words  # with their real content, from the program on
        self.folder = folder
        self.begin = begin
        self.end = end


def places(command: str, folder: str) -> list[Place]:
    """Returns the commands that certainly start in a known folder with nothing changed before them."""
    walk = _Walk(folder)
    found = steps(command) if folder and len(command) <= _LONGEST_LINE else []
    for number, step in enumerate(found):
        following = found[number + 1].program if number + 1 < len(found) else ""
        walk.take(step, following)
    return walk.found


def stays(command: str) -> bool:
    """Whether no command of the line can change the folder of another."""
    if len(command) > _LONGEST_LINE:
        return False
    return all(not step.odd and step.program not in (*CHANGE_FOLDER, "popd") for step in steps(command))


def is_plain(path: str) -> bool:
    """Whether the word is a literal path: the shell replaces nothing in it except `~/`."""
    if not path or any(character in _NOT_PLAIN for character in path):
        return False
    return path[0] != "~" or path[:2] in ("~", "~/")


def joined(folder: str, path: str) -> str | None:
    """Joins folder and path, without `.` and `..`; None if it is too long or `..` leads above the known part."""
    if len(folder) + len(path) > _LONGEST_PATH:
        return None
    is_absolute = path[:1] in ("/", "~") or path[1:3] == ":/"
    kept: list[str] = [] if is_absolute else folder.rstrip("/").split("/")
    for part in path.split("/"):
        if part == "..":
            if kept[-1:] in (["~"], []):
                return None
            if len(kept) > 1:
                kept.pop()
        elif part != "." and (part or not kept):
            kept.append(part)
    return "/".join(kept) or "/"


def _target(step: Step, folder: str) -> str | None:
    """Returns the folder after a `cd`; None if unknown."""
    start = after_assignments(step.words, 0)
    if step.words[start] not in CHANGE_FOLDER:
        return None  # after a wrapper
    wanted = [word for word in step.contents[start + 1 :] if word not in OF_CD]
    if not wanted and step.program == "cd":
        return "~"
    if len(wanted) != 1 or wanted[0][:1] in ("-", "+") or not is_plain(wanted[0]):
        return None
    return joined(folder, wanted[0])


class _Walk:
    """Goes from command to command and tracks the folder as long as it is known."""

    def __init__(self, folder: str) -> None:
        self.found: list[Place] = []
        self._folder: str | None = folder
        self._settled = True  # no earlier command created or removed files or programs
        self._guarded = False  # whether this command depends on an earlier one
        self._in_pipe = False
        self._moved_perhaps = False

    def take(self, step: Step, following: str) -> None:
        """Takes the next command, and the program of the one after it."""
        is_handled = step.operator == "||" and following not in GIVES_UP
        is_certain = self._settled and not (self._guarded or step.odd or step.hides_errors or is_handled)
        if is_certain and self._folder:
            words = step.contents[-len(step.texts[-1].split(" ")) :]
            self.found.append(Place(step.texts, words, self._folder, step.begin, step.end))
        if step.odd:
            self._settled = False
        elif step.program == "popd":
            self._folder = None
        elif step.program in CHANGE_FOLDER and step.operator not in ("|", "&") and not self._in_pipe:
            self._folder = _target(step, self._folder) if self._folder and not is_handled else None
            self._moved_perhaps = self._moved_perhaps or self._guarded
        self._settled = self._settled and step.is_harmless()
        self._in_pipe = step.operator == "|"
        if step.operator == "||" or (step.operator == "&&" and step.program in LOOK - _NO_CHECK):
            self._guarded = True
        elif step.operator in _ENDS_OF_LIST:
            self._folder = None if self._moved_perhaps else self._folder
            self._guarded = self._moved_perhaps = False
