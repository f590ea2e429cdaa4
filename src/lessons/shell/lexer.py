"""A shell text and a position in, the word that starts there out: as triggers see it, and its real content."""

from lessons.shell.command import Code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.shell.command import Payload

_NESTING = 24  # nested brackets that are followed; a deeper text is not read further

_WORD_ENDS = " \t\n;&|)"
_SPECIAL = _WORD_ENDS + "<>('\"\\$`"
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "\\": "\\", "'": "'", '"': '"'}


class Words:
    """Reads words from left to right; adds every command that a substitution starts to `found`."""

    __slots__ = ("arithmetic", "end", "found", "nesting", "position", "quoted", "text")

    def __init__(self, text: str, position: int, end: int, found: "list[Payload]") -> None:
        self.text = text
        self.position = position
        self.end = end
        self.found = found
        self.nesting = 0
        self.quoted = False  # whether this is inside double quotes
        self.arithmetic = True  # False once `((` was not arithmetic: each further try could read the rest again

    def substitution(self) -> None:
        """Reads the commands up to the bracket that closes them, and the bracket."""
        raise NotImplementedError

    def word(self) -> tuple[str, str]:
        """Returns the next word as shown and its real content; both are empty if no word starts here."""
        text = self.text
        end = self.end
        start = position = self.position
        while position < end and text[position] not in _SPECIAL:
            position += 1
        self.position = position
        plain = text[start:position]
        if position >= end or text[position] in _WORD_ENDS:
            return plain, plain
        return self.pieces(plain)

    def pieces(self, plain: str) -> tuple[str, str]:
        text = self.text
        begin = self.position
        shown = content = plain
        while self.position < self.end:
            char = text[self.position]
            if char in _WORD_ENDS or (char in "<>(" and not self.opens_in_word(char, shown)):
                break
            piece = self.piece(char)
            content += piece
            # Quoted text must not look like words of the command.
            shown += '""' if piece and piece.split() != [piece] else piece
        if not shown and self.position > begin:
            shown = '""'
        return shown, content

    def opens_in_word(self, char: str, word: str) -> bool:
        """Whether this is `<(…)`, an array or a glob rather than a redirection, a subshell or a function's `()`."""
        if char != "(":
            return self.text.startswith("(", self.position + 1)
        return word != "" and (word[-1] == "=" or not self.text.startswith(")", self.position + 1))

    def piece(self, char: str) -> str:
        text = self.text
        start = self.position
        if char == "'":
            return self.single_quoted()
        if char == '"':
            return self.double_quoted()
        if char == "\\":
            self.position += 2
            return text[start + 1 : start + 2].replace("\n", "")
        if char == "$" and text.startswith("'", start + 1):
            return self.escaped_quoted()
        if char == "$" and text.startswith('"', start + 1):
            self.position += 1
            return self.double_quoted()
        if char in "$`":
            return self.expansion(char)
        if char in "<>":
            self.position += 2
            self.nested(self.substitution)
        elif char == "(":
            self.position += 1
            self.nested(self.array_or_glob)
        else:
            self.skip_to(_SPECIAL)
        return text[start : self.position]

    def single_quoted(self) -> str:
        start = self.position + 1
        close = self.text.find("'", start, self.end)
        if close < 0:
            close = self.end
        self.position = close + 1
        return self.text[start:close]

    def escaped_quoted(self) -> str:
        text = self.text
        content = ""
        self.position += 2
        while self.position < self.end and text[self.position] != "'":
            start = self.position
            if text[start] == "\\":
                self.position += 2
                content += _ESCAPES.get(text[start + 1 : start + 2], text[start : start + 2])
            else:
                self.skip_to("\\'")
                content += text[start : self.position]
        self.position += 1
        return content

    def double_quoted(self) -> str:
        text = self.text
        start = self.position + 1
        close = text.find('"', start, self.end)
        content = text[start:close] if close >= 0 else text[start : self.end]
        if "$" not in content and "\\" not in content and "`" not in content:
            self.position = start + len(content) + 1
            return content
        self.position = start
        content = ""
        outside, self.quoted = self.quoted, True
        while self.position < self.end and text[self.position] != '"':
            start = self.position
            char = text[start]
            if char == "\\":
                self.position += 2
                following = text[start + 1 : start + 2]
                content += following.replace("\n", "") if following in '"\\$`\n' else char + following
            elif char in "$`":
                content += self.expansion(char)
            else:
                self.skip_to('"\\$`')
                content += text[start : self.position]
        self.position += 1
        self.quoted = outside
        return content

    def expansion(self, char: str) -> str:
        """Reads `$name`, `${…}`, `$((…))`, `$(…)` or backticks and returns them as written."""
        start = self.position
        following = self.text[start + 1 : start + 2]
        if char == "`":
            self.backticks()
        elif following == "{":
            self.position += 2
            self.nested(self.braces)
        elif following != "(":
            self.position += 1
        elif not self.skip_arithmetic(start + 1):
            self.position = start + 2
            self.nested(self.substitution)
        return self.text[start : self.position]

    def backticks(self) -> None:
        start = self.position + 1
        close = self.text.find("`", start, self.end)
        while close > 0 and self.text[close - 1] == "\\":
            close = self.text.find("`", close + 1, self.end)
        if close < 0:
            close = self.end
        self.found.append(Code(self.text[start:close].replace("\\`", "`")))
        self.position = close + 1

    def braces(self) -> None:
        while self.position < self.end:
            char = self.text[self.position]
            if char == "}":
                self.position += 1
                return
            if char == "\\":
                self.position += 2
            elif char == '"':
                self.double_quoted()
            elif char == "'" and not self.quoted:
                self.single_quoted()
            elif char in "$`":
                self.expansion(char)
            else:
                self.position += char == "'"
                self.skip_to("}\\\"'$`")

    def skip_arithmetic(self, start: int) -> bool:
        """Skips the `((…))` at `start`; returns False if these are subshells with commands inside."""
        if not self.arithmetic or not self.text.startswith("((", start):
            return False
        close = _closing_bracket(self.text, start + 2, self.end)
        if not self.text.startswith("))", close):
            self.arithmetic = False
            return False
        self.position = start + 2
        self.nested(lambda: self.expansions(close))
        self.position = max(self.position, close + 2)
        return True

    def expansions(self, end: int) -> None:
        while self.position < end:
            char = self.text[self.position]
            if char in "$`":
                self.expansion(char)
            else:
                self.position += 1

    def array_or_glob(self) -> None:
        while self.position < self.end:
            char = self.text[self.position]
            if char == ")":
                self.position += 1
                return
            if char == "#":
                self.skip_to("\n")
            elif char in " \t\n;&|<>(":
                self.position += 1
            else:
                self.word()

    def nested(self, read: "Callable[[], None]") -> None:
        if self.nesting >= _NESTING:
            self.position = self.end
            return
        self.nesting += 1
        read()
        self.nesting -= 1

    def skip_blanks(self) -> None:
        while self.position < self.end and self.text[self.position] in " \t":
            self.position += 1

    def skip_to(self, characters: str) -> None:
        text = self.text
        position = self.position
        while position < self.end and text[position] not in characters:
            position += 1
        self.position = position


def _closing_bracket(text: str, position: int, end: int) -> int:
    """Returns where the bracket opened before `position` is closed, or `end`."""
    opened = 1
    while (close := text.find(")", position, end)) >= 0:
        opened += text.count("(", position, close) - 1
        if not opened:
            return close
        position = close + 1
    return end


def end_of_body(text: str, position: int, delimiter: str, tabs: bool) -> tuple[int, int]:
    """Returns where the body starting at `position` ends, and where the line after its delimiter starts."""
    while position < len(text):
        match = text.find(delimiter, position)
        if match < 0:
            break
        begin = text.rfind("\n", position, match) + 1 or position
        newline = text.find("\n", match)
        end = len(text) if newline < 0 else newline
        line = text[begin:end]
        if (line.lstrip("\t") if tabs else line) == delimiter:
            return begin, end + 1
        position = end + 1
    return len(text), len(text)


def body_text(body: str, tabs: bool, literal: bool) -> str:
    if tabs and "\t" in body:
        body = "\n".join(line.lstrip("\t") for line in body.split("\n"))
    if not literal and "\\" in body:
        body = body.replace("\\\n", "").replace("\\$", "$").replace("\\`", "`")
    return body
