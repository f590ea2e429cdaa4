"""A shell line and the folder it starts in, in; the commands of which it is certain where they run out.

A command is left out wherever its surroundings cannot be told from the text: inside of brackets, loops and scripts of
other shells, behind programs that run it elsewhere, in a folder that a variable names, after a command that may make
files or programs, and where the line itself checks for what is missing or expects a failure.
"""

from lessons.shell.commands import Command
from lessons.shell.programs import CHANGE_FOLDER, EDIT_IN_PLACE, LOOK, LOOK_OR_IDLE
from lessons.shell.script import Script
from lessons.shell.split import command_texts
from lessons.shell.wrappers import after_assignments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Payload

_LONGEST_LINE = 65_536
# What the shell replaces, or what was blanked; none of it says which file is meant.
_NOT_PLAIN = "$`*?[]{}()<>|&;\"'\\\n\r\t\0"
_OF_CD = ("--", "-L", "-P", "-e", "-LP", "-PL")
# They start a command with the same folder, files and programs.
_TRANSPARENT = frozenset(
    "builtin caffeinate chronic command env exec gtimeout ionice nice nohup setsid stdbuf time timeout".split()
)
_MOVING_OPTIONS = ("-C", "--chdir", "-S", "--split-string")
_MOVING_VARIABLES = ("PATH=", "HOME=", "CDPATH=", "BASH_ENV=")
# They look at nothing that a later command could need, so `&&` after them is no check.
_NO_CHECK = frozenset(
    "cd pushd echo printf sleep true set wait pwd date whoami hostname uname id env printenv git".split()
)
_GIT_LOOKS = frozenset("status diff log show branch rev-parse ls-files remote blame".split())
_GIVES_UP = ("exit", "return")
_ENDS_OF_LIST = ("", ";", "\n", "&")


class Place:
    """A simple command: its texts as triggers see them, its folder, and where it stands in the line."""

    __slots__ = ("begin", "end", "folder", "texts")

    def __init__(self, texts: list[str], folder: str, begin: int, end: int) -> None:
        self.texts = texts
        self.folder = folder
        self.begin = begin
        self.end = end


def places(command: str, folder: str) -> list[Place]:
    """The commands of which it is certain that they start in a known folder, with nothing changed before them."""
    walk = _Walk(folder)
    steps = _steps(command) if folder and len(command) <= _LONGEST_LINE else []
    for number, step in enumerate(steps):
        following = steps[number + 1].program if number + 1 < len(steps) else ""
        walk.take(step, following)
    return walk.found


def stays(command: str) -> bool:
    """Whether no command of the line can change the folder of another."""
    if len(command) > _LONGEST_LINE:
        return False
    return all(not step.odd and step.program not in (*CHANGE_FOLDER, "popd") for step in _steps(command))


def is_plain(path: str) -> bool:
    """Whether a word is the path itself: nothing in it is replaced by the shell but `~/`."""
    if not path or any(character in _NOT_PLAIN for character in path):
        return False
    return path[0] != "~" or path[:2] in ("~", "~/")


def joined(folder: str, path: str) -> str | None:
    """The path from the folder on, without `.` and `..`; None where `..` leads beyond what is known."""
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


class _Step:
    """One simple command as it is written, and the operator behind it."""

    __slots__ = ("alters", "begin", "contents", "end", "hides_errors", "odd", "operator", "texts", "words")

    def __init__(self, words: list[str], contents: list[str], begin: int, end: int) -> None:
        self.words = words
        self.contents = contents
        self.texts = command_texts(Command(list(words), contents))[0]
        self.begin = begin
        self.end = end
        self.operator = ""
        self.odd = False  # part of a compound command
        self.alters = False  # it writes to a file, or something inside of it is run
        self.hides_errors = False

    @property
    def program(self) -> str:
        return self.texts[-1].partition(" ")[0]

    def is_harmless(self) -> bool:
        """Whether it makes and removes neither files nor programs."""
        if self.alters or any(word.startswith(_MOVING_VARIABLES) for word in self.words):
            return False
        if after_assignments(self.words, 0) == len(self.words) or self.program in _GIVES_UP:
            return True
        words = self.texts[-1].split(" ")
        if self.program == "git":
            return words[1:2] != [] and words[1] in _GIT_LOOKS
        if self.program == "find":
            return not any(word.startswith(("-exec", "-ok", "-delete", "-fprint", "-fls")) for word in words)
        if self.program in EDIT_IN_PLACE:
            return not any(word[:1] == "-" and "i" in word for word in words[1:])
        return self.program in LOOK_OR_IDLE

    def certain_texts(self) -> list[str]:
        """As written, and after what starts it in the same surroundings; a program by its path is another one."""
        found = self.texts[:1]
        for text, inner in zip(self.texts, self.texts[1:], strict=False):
            if not text.endswith(" " + inner) or not _is_transparent(text[: -len(inner)].split()):
                break
            found.append(inner)
        return found

    def target(self, folder: str) -> str | None:
        """The folder after a `cd`; None where nobody can tell."""
        start = after_assignments(self.words, 0)
        if self.words[start] not in CHANGE_FOLDER:
            return None  # behind a wrapper
        wanted = [word for word in self.contents[start + 1 :] if word not in _OF_CD]
        if not wanted and self.program == "cd":
            return "~"
        if len(wanted) != 1 or wanted[0][:1] in ("-", "+") or not is_plain(wanted[0]):
            return None
        return joined(folder, wanted[0])


def _is_transparent(words: list[str]) -> bool:
    start = after_assignments(words, 0)
    if any(word.startswith((*_MOVING_VARIABLES, *_MOVING_OPTIONS)) for word in words):
        return False
    return start == len(words) or words[start] in _TRANSPARENT


class _Walk:
    """Goes from command to command and knows the folder as long as it can be known."""

    def __init__(self, folder: str) -> None:
        self.found: list[Place] = []
        self._folder: str | None = folder
        self._settled = True  # nothing before has made or removed files or programs
        self._guarded = False  # whether this command runs depends on one before it
        self._in_pipe = False
        self._moved_perhaps = False

    def take(self, step: _Step, following: str) -> None:
        """The next command, and the program of the one behind it."""
        is_handled = step.operator == "||" and following not in _GIVES_UP
        is_certain = self._settled and not (self._guarded or step.odd or step.hides_errors or is_handled)
        if is_certain and self._folder:
            self.found.append(Place(step.certain_texts(), self._folder, step.begin, step.end))
        if step.odd:
            self._settled = False
        elif step.program == "popd":
            self._folder = None
        elif step.program in CHANGE_FOLDER and step.operator not in ("|", "&") and not self._in_pipe:
            self._folder = step.target(self._folder) if self._folder and not is_handled else None
            self._moved_perhaps = self._moved_perhaps or self._guarded
        self._settled = self._settled and step.is_harmless()
        self._in_pipe = step.operator == "|"
        if step.operator == "||" or (step.operator == "&&" and step.program in LOOK - _NO_CHECK):
            self._guarded = True
        elif step.operator in _ENDS_OF_LIST:
            self._folder = None if self._moved_perhaps else self._folder
            self._guarded = self._moved_perhaps = False


def _steps(command: str) -> list[_Step]:
    reader = _Reader(command.replace("\r\n", "\n") if "\r" in command else command)
    reader.read()
    return reader.steps


class _Reader(Script):
    """Notes of each command of the line itself where it stands and what comes with it."""

    __slots__ = ("alters", "first_word", "hides_errors", "odd", "quiet_output", "steps")

    def __init__(self, text: str) -> None:
        found: list[Payload] = []
        super().__init__(text, 0, len(text), found)
        self.steps: list[_Step] = []
        self.odd = False
        self.first_word = -1  # where the command that is being read begins
        self._forget()

    def _forget(self) -> None:
        self.alters = self.hides_errors = self.quiet_output = False

    def finish(self) -> None:
        if self.words:
            step = _Step(self.words, self.contents, self.first_word, self.position)
            step.odd, step.alters, step.hides_errors = self.odd, self.alters, self.hides_errors
            self.steps.append(step)
        super().finish()
        self._forget()

    def add_word(self) -> None:
        if not self.words:
            self.first_word = self.position
        super().add_word()

    def drop(self) -> None:
        self.odd = True  # a keyword, or the name of a function
        super().drop()

    def opening_bracket(self) -> None:
        self.odd = True
        super().opening_bracket()

    def substitution(self) -> None:
        super().substitution()
        self.alters = True

    def backticks(self) -> None:
        super().backticks()
        self.alters = True

    def read_body(self, begin: int, end: int) -> None:
        super().read_body(begin, end)
        self.steps[-1].alters = True

    def redirection(self, start: int) -> None:
        super().redirection(start)
        written = "".join(self.text[start : self.position].split())
        if written.endswith("/dev/null"):
            self.quiet_output = self.quiet_output or written[0] in ">1"
            self.hides_errors = self.hides_errors or written[0] in "2&"
        elif written.startswith("2>&1"):
            self.hides_errors = self.hides_errors or self.quiet_output
        elif ">" in written and ">&" not in written:
            self.alters = True

    def separator(self, char: str, following: str) -> None:
        before = len(self.steps) + bool(self.words)
        super().separator(char, following)
        if char != ")" and before and self.steps[-1].operator in ("", ";", "\n"):
            self.steps[-1].operator = char * 2 if char in "&|" and following == char else char
