"""Windows shells: what `cmd` and PowerShell run, and the commands of a PowerShell script."""

from lessons.shell.command import CMD, POWERSHELL, Command
from lessons.shell.starts import known_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.command import Input, Payload

# PowerShell options that take the next word; all may be abbreviated, case is ignored.
_WITH_VALUE = (
    *("-executionpolicy", "-ep", "-ex", "-workingdirectory", "-wd", "-windowstyle", "-w", "-outputformat", "-of"),
    *("-inputformat", "-if", "-configurationname", "-config", "-custompipename", "-settingsfile", "-psconsolefile"),
    "-version",
)
# The command is encoded, or they run nothing.
_RUN_NO_COMMAND = ("-e", "-ec", "-en", "-enc", "-encodedcommand", "-h", "-help", "-?", "-v")
_BLANKS = " \t\r"
_WORD_ENDS = _BLANKS + "\n;|&(){}<>"
# They come before a command or a bracket and are not part of a command.
_STATEMENTS = frozenset(
    "if elseif else while do until for foreach switch try catch finally return throw begin process end param trap"
    " default exit".split()
)
_ASSIGNING = ("=", "+=", "-=", "*=", "/=", "??=")
_NAMED = ("function", "filter", "class", "workflow")


def of_cmd(command: Command, start: int) -> "list[Payload]":
    """Returns all that follows `/c` or `/k`; shells of other systems write `//c`."""
    words = command.words
    for place in range(start + 1, len(words)):
        option = words[place].lower()
        if option[:1] != "/":
            return []
        if option.lstrip("/")[:1] in ("c", "k") and place + 1 < len(words):
            code = command.code(" ".join(command.contents[place + 1 :]), CMD)
            return [code] if place + 2 == len(words) else [command.behind(place + 1), code]
    return []


def of_powershell(command: Command, start: int) -> "list[Payload]":
    """Returns all that follows `-Command`, or from the first word that is not an option; `-` means its input."""
    words = command.words
    place = start + 1
    while place < len(words):
        option = words[place].lower()
        place += 1
        if option in _WITH_VALUE:
            place += 1
        elif option in _RUN_NO_COMMAND or (len(option) > 1 and "-file".startswith(option)):
            return []
        elif option[:1] != "-" or (len(option) > 1 and "-command".startswith(option)):
            place -= option[:1] != "-"
            break
    text = " ".join(command.contents[place:])
    return [command.code(known_input(command) if text in ("", "-") else text, POWERSHELL)]


class PowerShell:
    """Reads a script once from left to right; every bracket ends a command and starts another."""

    __slots__ = ("called", "contents", "end", "found", "position", "quoted", "source", "text", "words")

    def __init__(self, text: str, end: int, found: "list[Payload]", source: "Input") -> None:
        self.text = text
        self.position = 0
        self.end = end
        self.found = found
        self.words: list[str] = []
        self.contents: list[str] = []
        self.quoted = False  # whether the first word is a text
        self.called = False  # whether `&` or `.` precedes: then a text names a program
        self.source = source

    def read(self) -> None:
        text = self.text
        while self.position < self.end:
            char = text[self.position]
            following = text[self.position + 1 : self.position + 2]
            if char in _BLANKS:
                self.position += 1
            elif char == "#" or (char == "<" and following == "#"):
                self.skip_behind("\n" if char == "#" else "#>")
            elif char == "&" and following != "&" and not self.words:
                self.called = True
                self.position += 1
            elif char in ";\n|&":
                piped = self.finish()
                self.position += 2 if char in "|&" and following == char else 1
                self.source = piped if char == "|" and following != "|" else None
            elif char in "(){}":
                self.finish()
                self.position += 1
                if char == ")":
                    self.words, self.contents = ["("], ["("]  # what follows a value is no command
            elif char in "@$" and following in ("(", "{") and char + following != "${":
                self.position += 1
            elif char in "<>" or (char in "123456*" and following == ">"):
                self.redirection()
            else:
                self.add_word()
        self.finish()

    def skip_behind(self, mark: str) -> None:
        found = self.text.find(mark, self.position)
        # The newline still separates commands.
        self.position = self.end if found < 0 else found + len(mark) * (mark != "\n")

    def redirection(self) -> None:
        text = self.text
        while self.position < self.end and text[self.position] in "123456*<>":
            self.position += 1
        if text.startswith("&", self.position):
            self.position += 2
            return
        while self.position < self.end and text[self.position] in " \t":
            self.position += 1
        if self.position < self.end and text[self.position] not in _WORD_ENDS:
            self.word()

    def add_word(self) -> None:
        is_quoted = self.text.startswith(("'", '"', "@'", '@"'), self.position)
        content = self.word()
        if content == "." and not self.words and not is_quoted:
            self.called = True
        elif content or is_quoted:
            self.quoted = is_quoted if not self.words else self.quoted
            self.words.append(content if content and content.split() == [content] else '""')
            self.contents.append(content)

    def word(self) -> str:
        text = self.text
        begin = self.position
        content = ""
        while self.position < self.end:
            char = text[self.position]
            if char == "`":
                if text[self.position + 1 : self.position + 3].lstrip("\r")[:1] == "\n":
                    self.position += 2 + text.startswith("\r", self.position + 1)
                    break
                content += text[self.position + 1 : self.position + 2]
                self.position += 2
            elif char in "'\"":
                content += self.text_in_quotes(char)
            elif char == "{" and self.position > begin:  # `@{0}` in `stash@{0}`, `{x}` in `${x}`
                start, self.position = self.position, text.find("}", self.position) + 1 or self.end
                content += text[start : self.position]
            elif char in _WORD_ENDS or (char == "=" and content[:1] == "$" and not self.words):
                break
            else:
                content += char
                self.position += 1
            if content == "=" and self.words and self.words[0][:1] == "$":
                break  # of `$x=git push`
        if self.position == begin:  # a sign that starts no word here
            content += text[begin : begin + 1]
            self.position += 1
        return content

    def text_in_quotes(self, quote: str) -> str:
        text = self.text
        content = ""
        self.position += 1
        while self.position < self.end:
            char = text[self.position]
            if char == quote:
                if not text.startswith(quote, self.position + 1):
                    break
                self.position += 1
            elif char == "`" and quote == '"':
                self.position += 1
            content += text[self.position : self.position + 1]
            self.position += 1
        self.position += 1
        return content

    def finish(self) -> "Input":
        """Adds the command that ends here; returns its output for a pipe."""
        words, contents, called, quoted = self.words, self.contents, self.called, self.quoted
        self.words, self.contents, self.called, self.quoted = [], [], False, False
        start = 0 if called else self.statement(words)
        if start >= len(words):
            return None
        if not called:
            if (quoted and start == 0) or words[start] == '""':
                return [*contents[start:]]  # a text, not a command
            if (words[start][0] in "$([{@-%!+" or words[start][0].isdigit()) and words[start] != "%":
                return None  # an expression
        command = Command(words[start:], contents[start:], self.source)
        self.found.append(command)
        return command

    def statement(self, words: list[str]) -> int:
        """Returns the index of the first word after keywords and assignments."""
        start = 0
        while start < len(words):
            word = words[start].lower()
            if word in _NAMED:
                start += 2
            elif word in _STATEMENTS:
                start += 1
            elif words[start + 1 : start + 2] == ["in"] and word[:1] == "$":
                start += 2
            else:
                signs = [place for place in range(start + 1, min(start + 4, len(words))) if words[place] in _ASSIGNING]
                if not signs:
                    break
                start = signs[0] + 1
        return start
