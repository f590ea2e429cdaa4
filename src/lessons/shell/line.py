"""A shell line in, its simple commands out, in their order and each with the operator that ends it."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lessons.shell.assignments import after_assignments
from lessons.shell.commands import Code, Command
from lessons.shell.programs import FEEDERS, FILTERS, SET_UP
from lessons.shell.script import KEYWORDS, Script
from lessons.shell.split import command_texts

if TYPE_CHECKING:
    from lessons.shell.commands import Payload

_WORDS = r"[\w./@:,+%=-]+(?: +[\w./@:,+%=-]+)*(?: 2>&1)?"
_SIMPLE = re.compile(rf"{_WORDS}(?: *(?:&&|\|\||[|;]) *{_WORDS})*", re.ASCII)
_OPERATOR = re.compile(r" *(&&|\|\||[|;]) *")
LONGEST_LINE = 4096  # characters read of one line
SCRIPT_DEPTH = 3  # how many nested shells are followed
# Of two operators in the same place the stronger wins: in `{ a; } | b` the pipe decides about `a`.
_STRENGTH = ("", ")", "\n", ";", "&&", "&", "||", "|")


class Part(NamedTuple):
    """A simple command: its words after all wrappers, and the scripts in its arguments."""

    words: list[str]
    inner: list[str]  # the scripts of `bash -c`, `eval` and the like
    operator: str  # one of _STRENGTH

    @property
    def program(self) -> str:
        return self.words[0]


@lru_cache(maxsize=64)
def parts(command: str) -> tuple[Part, ...]:
    """Returns the commands of the line itself, without those inside `$(…)` and without bare assignments."""
    script = command[:LONGEST_LINE]
    commands = _simple_commands(script) if _SIMPLE.fullmatch(script) else None
    if commands is None:
        if "\r" in script:
            script = script.replace("\r\n", "\n")
        reader = _Outline(script, 0, len(script), [])
        reader.read()
        commands = reader.commands()
    return tuple(_part(words, contents, operator) for words, contents, operator in commands)


def working(line: tuple[Part, ...]) -> list[int]:
    """Returns the indexes of the commands that do the work of the line."""
    found = []
    for index, part in enumerate(line):
        following = line[index + 1].program if part.operator == "|" and index + 1 < len(line) else ""
        feeds = part.program in FEEDERS and following != "" and following not in FILTERS
        if part.program not in SET_UP and not feeds:
            found.append(index)
    return found


def _simple_commands(script: str) -> list[tuple[list[str], list[str], str]] | None:
    """Handles lines of nothing but words and operators: most are, and skip the character-by-character reader."""
    pieces = _OPERATOR.split(script)
    commands = []
    for number in range(0, len(pieces), 2):
        words = pieces[number].split()
        if words[0] in KEYWORDS or words[0] == "time" or "=" in words[0]:
            return None
        commands.append((words, list(words), pieces[number + 1] if number + 1 < len(pieces) else ""))
    return commands


def _part(words: list[str], contents: list[str], operator: str) -> Part:
    texts, inner = command_texts(Command(words, contents))
    return Part(texts[-1].split(" "), [code.text for code in inner if isinstance(code, Code) and code.text], operator)


class _Outline(Script):
    """Keeps operators and redirections, and skips commands of substitutions."""

    __slots__ = ("assigned", "operators")

    def __init__(self, text: str, position: int, end: int, found: "list[Payload]") -> None:
        super().__init__(text, position, end, found)
        self.assigned = 0  # how many of the words are known to be leading assignments
        self.operators: list[str] = []  # one for each of `found`

    def commands(self) -> list[tuple[list[str], list[str], str]]:
        self.note("")
        pairs = zip(self.found, self.operators, strict=True)
        return [
            (found.words, found.contents, operator)
            for found, operator in pairs
            if isinstance(found, Command) and after_assignments(found.words, 0) < len(found.words)
        ]

    def finish(self) -> None:
        super().finish()
        self.assigned = 0

    def redirected(self, shown: list[str], contents: list[str], apart: bool) -> None:
        self.assigned = after_assignments(self.words, self.assigned)
        if self.assigned < len(self.words):  # otherwise no command has started yet
            self.words += shown if apart else ["".join(shown)]
            self.contents += contents if apart else ["".join(contents)]

    def substitution(self) -> None:
        found, self.found = self.found, []
        super().substitution()
        self.found = found

    def read_body(self, begin: int, end: int) -> None:
        """Skips substitutions in a heredoc: they are not commands of the line itself."""

    def backticks(self) -> None:
        found, self.found = self.found, []
        super().backticks()
        self.found = found

    def operator(self, char: str) -> None:
        following = self.text[self.position + 1 : self.position + 2]
        before = len(self.found) + bool(self.words)
        super().operator(char)
        if char not in "&|;\n)" or (char == "&" and following == ">") or len(self.found) < before:
            return  # a redirection, or a sign inside `[[ … ]]`
        if char in "&|" and following == char:
            char += char
        self.note(char)

    def note(self, operator: str) -> None:
        missing = len(self.found) - len(self.operators)
        if missing:
            self.operators += [""] * (missing - 1) + [operator]
        elif self.found and _STRENGTH.index(operator) > _STRENGTH.index(self.operators[-1]):
            self.operators[-1] = operator
