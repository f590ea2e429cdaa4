"""Splits a shell line into its commands, quickly and roughly: for counting, not for deciding what runs.

The parser in `shell/` knows wrappers, payloads and values; this one knows words, quotes, operators and heredocs, and
never fails.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Word(NamedTuple):
        text: str
        is_quoted: bool


_LONGEST_LINE = 8192
_KEYWORDS = frozenset("if then elif else fi for while until do done case esac time { } !".split())
_ENDS_TARGET = " \t\n;&|()<>"


class Command:
    """One simple command: its words after assignments, the names it assigns, and the text of its heredoc."""

    __slots__ = ("assigned", "heredoc", "words")

    def __init__(self) -> None:
        self.words: list[tuple[str, bool]] = []  # text, and whether any of it was quoted
        self.assigned: list[str] = []
        self.heredoc = ""

    def add(self, text: str, quoted: bool) -> None:
        if not self.words and not quoted:
            if text in _KEYWORDS:
                return
            name, equals, _ = text.partition("=")
            if equals and name.replace("_", "a").isalnum() and not name[0].isdigit():
                self.assigned.append(name)
                return
        self.words.append((text, quoted))


def commands_of(line: str) -> list[Command]:
    """Returns the commands of a line in order; of a very long line only those at its start."""
    return _Splitter(line[:_LONGEST_LINE]).commands


class _Splitter:
    def __init__(self, line: str) -> None:
        self.line = line
        self.commands: list[Command] = []
        self.command = Command()
        self.word = ""
        self.in_word = self.quoted = False
        self.heredocs: list[tuple[Command, str]] = []  # announced, with the mark that ends each
        place, end = 0, len(line)
        while place < end:
            place = self._step(line[place], place)
        self._end_command()

    def _step(self, sign: str, place: int) -> int:
        """Reads what begins here; returns the place after it."""
        if sign in "'\"":
            return self._quoted(sign, place)
        if sign == "\\":
            if self.line[place + 1 : place + 2] == "\n":
                self._end_word()
            else:
                self._add(self.line[place : place + 2])
            return place + 2
        if sign in " \t\r":
            self._end_word()
            return place + 1
        if sign == "\n":
            self._end_command()
            return self._bodies(place + 1)
        if sign == "#" and not self.in_word:
            return self._find("\n", place)
        if sign in "<>":
            return self._redirection(place)
        if sign in "&|;()":
            if sign == "&" and self.line[place + 1 : place + 2] == ">":
                return self._redirection(place)
            self._end_command()
            return place + 1
        if sign == "$" and self.line[place + 1 : place + 2] == "(":
            self._add("$()")
            return self._closing(place + 1)
        self._add(sign)
        return place + 1

    def _add(self, text: str) -> None:
        self.word += text
        self.in_word = True

    def _quoted(self, sign: str, place: int) -> int:
        end = place + 1
        if sign == "'":
            end = self._find("'", end)
        else:
            while end < len(self.line) and self.line[end] != '"':
                end += 2 if self.line[end] == "\\" else 1
        self._add(self.line[place + 1 : end])
        self.quoted = True
        return end + 1

    def _redirection(self, place: int) -> int:
        """Skips an operator and its target; notes the mark of a heredoc."""
        if self.in_word and self.word.isdigit() and not self.quoted:
            self.word, self.in_word = "", False  # the number of a file: `2>`
        self._end_word()
        end = place
        while end < len(self.line) and self.line[end] in "<>&|-":
            end += 1
        operator = self.line[place:end]
        while self.line[end : end + 1] == " ":
            end += 1
        start = end
        while end < len(self.line) and self.line[end] not in _ENDS_TARGET:
            end += 1
        if operator in ("<<", "<<-"):
            self.heredocs.append((self.command, self.line[start:end].strip("'\"\\")))
        return max(end, place + 1)

    def _bodies(self, place: int) -> int:
        """Skips the heredocs that begin here."""
        for command, mark in self.heredocs:
            start = place
            while place < len(self.line):
                end = self._find("\n", place)
                text, next_line = self.line[place:end].strip(), end + 1
                if text == mark:
                    break
                place = next_line
            command.heredoc, place = self.line[start:place], min(len(self.line), self._find("\n", place) + 1)
        self.heredocs = []
        return place

    def _closing(self, place: int) -> int:
        """Returns the place after the parenthesis that closes the one here."""
        depth = 0
        while place < len(self.line):
            depth += {"(": 1, ")": -1}.get(self.line[place], 0)
            place += 1
            if not depth:
                break
        return place

    def _find(self, text: str, place: int) -> int:
        found = self.line.find(text, place)
        return len(self.line) if found < 0 else found

    def _end_word(self) -> None:
        if self.in_word:
            self.command.add(self.word, self.quoted)
        self.word, self.in_word, self.quoted = "", False, False

    def _end_command(self) -> None:
        self._end_word()
        if self.command.words or self.command.assigned:
            self.commands.append(self.command)
            self.command = Command()
