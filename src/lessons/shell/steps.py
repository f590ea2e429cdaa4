"""A shell line in, its own simple commands out, each with what decides where and whether it runs."""

from lessons.shell.assignments import after_assignments
from lessons.shell.looking import EDIT_IN_PLACE, LOOK_OR_IDLE
from lessons.shell.simple import simple_commands

# They start a command with the same folder, files and programs.
_TRANSPARENT = frozenset(
    "builtin caffeinate chronic command env exec gtimeout ionice nice nohup setsid stdbuf time timeout".split()
)
_MOVING_OPTIONS = ("-C", "--chdir", "-S", "--split-string")
_MOVING_VARIABLES = ("PATH=", "HOME=", "CDPATH=", "BASH_ENV=")
_GIT_LOOKS = frozenset("status diff log show branch rev-parse ls-files remote blame".split())
GIVES_UP = ("exit", "return")

_WRAPPERS_IN_A_ROW = 16  # more are not followed, so that no line can slow the hook


class Step:
    """One simple command as written, and the operator after it."""

    __slots__ = ("alters", "begin", "contents", "end", "hides_errors", "odd", "operator", "texts", "words")

    def __init__(self, words: list[str], contents: list[str], begin: int, end: int, operator: str = "") -> None:
        self.words = words  # as triggers see them
        self.contents = contents  # the same words with their real content
        self.texts = _texts(words)
        self.begin = begin
        self.end = end
        self.operator = operator
        self.odd = False  # part of a compound command
        self.alters = False  # it writes to a file, or contains a substitution
        self.hides_errors = False

    @property
    def program(self) -> str:
        return self.texts[-1].partition(" ")[0]

    def is_harmless(self) -> bool:
        """Whether it creates and removes neither files nor programs."""
        if self.alters or any(word.startswith(_MOVING_VARIABLES) for word in self.words):
            return False
        if after_assignments(self.words, 0) == len(self.words) or self.program in GIVES_UP:
            return True
        words = self.texts[-1].split(" ")
        if self.program == "git":
            return words[1:2] != [] and words[1] in _GIT_LOOKS
        if self.program == "find":
            return not any(word.startswith(("-exec", "-ok", "-delete", "-fprint", "-fls")) for word in words)
        if self.program in EDIT_IN_PLACE:
            return not any(word[:1] == "-" and "i" in word for word in words[1:])
        return self.program in LOOK_OR_IDLE


def _texts(words: list[str]) -> list[str]:
    """Returns the text as written, and after each wrapper that keeps the surroundings; a program path stays a path."""
    texts = [" ".join(words)]
    words = list(words)
    start = after_assignments(words, 0)
    if start and (start == len(words) or _moves(words[:start])):
        return texts
    if start:
        texts.append(" ".join(words[start:]))
    for _ in range(_WRAPPERS_IN_A_ROW):
        if words[start] not in _TRANSPARENT:
            break
        from lessons.shell.wrappers import unwrap  # few lines have such a program

        inner = unwrap(words, start)
        if not inner or _moves(words[start:inner]):
            break
        start = inner
        texts.append(" ".join(words[start:]))
    return texts


def _moves(words: list[str]) -> bool:
    return any(word.startswith((*_MOVING_VARIABLES, *_MOVING_OPTIONS)) for word in words)


def steps(command: str) -> list[Step]:
    """Returns every simple command in order, without those of substitutions and of scripts for other shells."""
    found = simple_commands(command)
    if found is None:
        from lessons.shell.step_reader import read  # most lines do not need it

        return read(command)
    return [Step(words, list(words), begin, end, operator) for words, begin, end, operator in found]
