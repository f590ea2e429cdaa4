"""Windows shells: what they run, the names of Windows programs, and the commands of a PowerShell script."""

from lessons.shell.command import CMD, POWERSHELL, Code, Command
from lessons.shell.values import known_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.command import Input, Payload, Values

    # words, contents, which are quoted, whether they are called, position of the bracket, input
    Frame = tuple[list[str], list[str], list[bool], bool, int, Input | None]

# PowerShell options that take the next word; all may be abbreviated, case is ignored.
_WITH_VALUE = (
    *("-executionpolicy", "-ep", "-ex", "-workingdirectory", "-wd", "-windowstyle", "-w", "-outputformat", "-of"),
    *("-inputformat", "-if", "-configurationname", "-config", "-custompipename", "-settingsfile", "-psconsolefile"),
    "-version",
)
# The command is encoded, or they run nothing.
_RUN_NO_COMMAND = ("-e", "-ec", "-en", "-enc", "-encodedcommand", "-h", "-help", "-?", "-v")
_WORD_ENDS = " \t\r\n;|&(){}'\"`<>"
# They come before a command or a bracket and are not part of a command.
_STATEMENTS = frozenset(
    "if elseif else while do until for foreach switch try catch finally return throw begin process end param trap"
    " default exit".split()
)
_ASSIGNING = ("=", "+=", "-=", "*=", "/=", "??=")
_NAMED = ("function", "filter", "class", "workflow")
_START = ("start-process", "saps", "start")
_RUN_TEXT = ("invoke-expression", "iex")
_DEEPEST = 64


def of_cmd(command: Command, start: int) -> "list[Payload]":
    """Returns all that follows `/c` or `/k`; shells of other systems write `//c`."""
    words = command.words
    for place in range(start + 1, len(words)):
        option = words[place].lower()
        if option[:1] != "/":
            return []
        if option.lstrip("/")[:1] in ("c", "k") and place + 1 < len(words):
            code = command.code(" ".join(command.contents[place + 1 :]))
            code.dialect = CMD
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
    code = command.code(known_input(command) if text in ("", "-") else text)
    code.dialect = POWERSHELL
    return [code]


def as_posix(code: str) -> str:
    """Rewrites a line for `cmd` as a POSIX shell would write it: `cmd` escapes with `^` instead of a backslash."""
    return code.replace("\\", "\\\\").replace("^", "")


class PowerShell:
    """Reads a script once from left to right; brackets and blocks are lists of commands like the script itself."""

    __slots__ = (
        "called", "contents", "end", "found", "frames", "position", "quoted", "source", "text", "values", "words",
    )  # fmt: skip

    def __init__(self, text: str, end: int, found: "list[Payload]", source: "Input | None", values: "Values") -> None:
        self.text = text
        self.position = 0
        self.end = end
        self.found = found
        self.words: list[str] = []
        self.contents: list[str] = []
        self.quoted: list[bool] = []
        self.called = False  # whether `&` or `.` precedes: then a text names a program
        self.source = source
        self.values = values
        self.frames: list[Frame] = []

    def read(self) -> None:
        text = self.text
        while self.position < self.end:
            char = text[self.position]
            following = text[self.position + 1 : self.position + 2]
            if char in " \t\r":
                self.position += 1
            elif char == "#" or (char == "<" and following == "#"):
                self.skip_behind("\n" if char == "#" else "#>")
            elif char in ";\n|&":
                self.operator(char, following)
            elif char in ")}":
                self.close()
            elif char in "({" or (char in "@$" and following in ("(", "{") and char + following != "${"):
                self.open(char)
            elif char in "<>" or (char in "123456*" and following == ">"):
                self.redirection()
            else:
                self.add_word()
        while self.frames:
            self.close()
        self.finish()

    def skip_behind(self, mark: str) -> None:
        found = self.text.find(mark, self.position)
        # The newline still separates commands.
        self.position = self.end if found < 0 else found + len(mark) * (mark != "\n")

    def operator(self, char: str, following: str) -> None:
        if char == "&" and following != "&" and not self.words:
            self.called = True
            self.position += 1
            return
        piped = self.finish()
        self.position += 2 if char in "|&" and following == char else 1
        self.source = piped if char == "|" and following != "|" else None

    def open(self, char: str) -> None:
        if len(self.frames) >= _DEEPEST:
            self.position = self.end
            return
        self.frames.append((self.words, self.contents, self.quoted, self.called, self.position, self.source))
        self.words, self.contents, self.quoted, self.called, self.source = [], [], [], False, None
        self.position += 2 if char in "@$" else 1

    def close(self) -> None:
        self.finish()
        self.position += 1
        if self.frames:
            self.words, self.contents, self.quoted, self.called, begin, self.source = self.frames.pop()
            self.add(self.text[begin : self.position], True)

    def add(self, content: str, quoted: bool) -> None:
        self.words.append(content if content and content.split() == [content] else '""')
        self.contents.append(content)
        self.quoted.append(quoted)

    def redirection(self) -> None:
        text = self.text
        while self.position < self.end and text[self.position] in "123456*<>":
            self.position += 1
        if text.startswith("&", self.position):
            self.position += 2
            return
        while self.position < self.end and text[self.position] in " \t":
            self.position += 1
        if self.position < self.end and text[self.position] not in "\r\n;|&(){}":
            self.word()

    def add_word(self) -> None:
        content, quoted = self.word()
        if content == "." and not self.words and not quoted:
            self.called = True
        elif content or quoted:
            self.add(content, quoted)

    def word(self) -> tuple[str, bool]:
        """Returns the next word, and whether it starts with quoted text."""
        text = self.text
        begin = self.position
        content = ""
        quoted = text[begin] in "'\"" or text.startswith(("@'", '@"'), begin)
        while self.position < self.end:
            char = text[self.position]
            if char == "`":
                if text[self.position + 1 : self.position + 3].lstrip("\r")[:1] == "\n":
                    self.position += 2 + text.startswith("\r", self.position + 1)
                    break
                content += text[self.position + 1 : self.position + 2]
                self.position += 2
            elif text.startswith(("@'\n", '@"\n', "@'\r\n", '@"\r\n'), self.position):
                content += self.here_string()
            elif char in "'\"":
                content += self.text_in_quotes(char)
            elif char == "{" and self.position > begin:
                content += self.literal_block()
            elif char in _WORD_ENDS or (char == "=" and content[:1] == "$" and len(self.words) == 0):
                break
            else:
                content += char
                self.position += 1
            if content == "=" and self.words and self.words[0][:1] == "$":
                break  # of `$x=git push`
        if self.position == begin:  # a sign that starts no word here
            content += text[begin : begin + 1]
            self.position += 1
        return content, quoted

    def here_string(self) -> str:
        quote = self.text[self.position + 1]
        begin = self.text.find("\n", self.position) + 1
        end = self.text.find("\n" + quote + "@", begin - 1)
        end = self.end if end < 0 else end
        content = self.text[begin : max(begin, end)]
        if quote == '"':
            self.substitutions(content)
        self.position = min(self.end, end + 3)
        return content

    def text_in_quotes(self, quote: str) -> str:
        text = self.text
        content = ""
        begin = self.position = self.position + 1
        while self.position < self.end:
            char = text[self.position]
            if char == quote:
                if not text.startswith(quote, self.position + 1):
                    break
                content += quote
                self.position += 2
            elif char == "`" and quote == '"':
                content += text[self.position + 1 : self.position + 2]
                self.position += 2
            else:
                content += char
                self.position += 1
        if quote == '"':
            self.substitutions(text[begin : self.position])
        self.position += 1
        return content

    def literal_block(self) -> str:
        """Reads a literal block: `@{0}` in `stash@{0}`, `{x}` in `${x}`."""
        begin = self.position
        close = self.text.find("}", begin)
        self.position = self.end if close < 0 else close + 1
        return self.text[begin : self.position]

    def substitutions(self, content: str) -> None:
        """Adds the commands of `$(…)` inside a text."""
        begin = content.find("$(")
        if begin >= 0:
            end = content.rfind(")")
            self.found.append(Code(content[begin + 2 : end if end > begin else None], None, self.values, POWERSHELL))

    def finish(self) -> "Input | None":
        """Adds the command that ends here; returns its output for a pipe."""
        words, contents, quoted, called = self.words, self.contents, self.quoted, self.called
        self.words, self.contents, self.quoted, self.called = [], [], [], False
        start = 0 if called else self.statement(words, contents)
        if start >= len(words):
            return None
        if quoted[start] and not called and words[start][:1] not in ("(", "{", "@", "$"):
            return [*contents[start:]]  # a text, not a command
        if not called and (words[start][0] in "$([{@-%!+" or words[start][0].isdigit()) and words[start] != "%":
            return None  # an expression
        command = Command(words[start:], contents[start:], self.source, self.values)
        self.found.append(command)
        self.follow(command)
        return [command]

    def statement(self, words: list[str], contents: list[str]) -> int:
        """Returns the index of the first word after keywords and assignments; records what a variable holds."""
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
                if word[:1] == "$" and len(words) == signs[0] + 2:
                    self.values.setdefault(words[start][1:], []).append(contents[-1])
                start = signs[0] + 1
        return start

    def follow(self, command: Command) -> None:
        """Adds what cmdlets start that take a program or a text."""
        name = command.words[0].lower()
        if name in _RUN_TEXT:
            arguments = [word for word in command.contents[1:] if word.lower() not in ("-command", "-c")]
            text = " ".join(arguments) if arguments else known_input(command)
            self.found.append(Code(text, None, self.values, POWERSHELL))
        elif name in _START:
            self.found += _started(command)


def _started(command: Command) -> "list[Payload]":
    """Returns the program of `Start-Process` with its arguments."""
    program, arguments = "", list[str]()
    takes = ""
    for word in command.contents[1:]:
        option = word.lower()
        if option[:1] == "-" and len(option) > 1 and takes != "arguments":
            takes = "program" if option.startswith("-f") else "arguments" if option.startswith("-a") else "other"
            if option in ("-wait", "-nonewwindow", "-passthru", "-usenewenvironment", "-loaduserprofile"):
                takes = ""
        elif takes == "other":
            takes = ""
        elif takes == "program" or not program:
            program, takes = " ".join(word.split()), ""
        else:
            arguments += word.replace(",", " ").split()
            takes = ""
    if not program or program[0] in "($@{":  # an expression: what it starts is unknown
        return []
    return [Command([program, *arguments], [program, *arguments])]
