"""Reads the simple commands of a line character by character: for lines with more than words and operators."""

from lessons.shell.script import Script
from lessons.shell.steps import Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Payload


def read(command: str) -> list[Step]:
    reader = _Reader(command.replace("\r\n", "\n") if "\r" in command else command)
    reader.read()
    return reader.steps


class _Reader(Script):
    """Records position, redirections and surroundings of each command of the line itself."""

    __slots__ = ("alters", "first_word", "hides_errors", "odd", "quiet_output", "steps")

    def __init__(self, text: str) -> None:
        found: list[Payload] = []
        super().__init__(text, 0, len(text), found)
        self.steps: list[Step] = []
        self.odd = False
        self.first_word = -1  # start of the command being read
        self._forget()

    def _forget(self) -> None:
        self.alters = self.hides_errors = self.quiet_output = False

    def finish(self) -> None:
        if self.words:
            step = Step(self.words, self.contents, self.first_word, self.position)
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
