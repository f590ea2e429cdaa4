"""A shell script in, its simple commands out: inner ones before the command they are part of."""

from lessons.shell.flow import Flow
from lessons.shell.values import define

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Input, Payload, Values

_HEADINGS = ("for", "select", "case", "function")
_OPENING = ("if", "while", "until", "for", "select", "case", "{")
_CLOSING = ("fi", "done", "esac", "}")
KEYWORDS = frozenset((*_HEADINGS, *_OPENING, *_CLOSING, "then", "elif", "else", "do", "!", "coproc"))


class Script(Flow):
    """Reads one list of commands from left to right and adds each command to `found` when it ends."""

    __slots__ = ("brackets", "cases", "heading", "heading_words")

    def __init__(
        self,
        text: str,
        position: int,
        end: int,
        found: "list[Payload]",
        source: "Input | None" = None,
        values: "Values | None" = None,
    ) -> None:
        super().__init__(text, position, end, found, source, values)
        self.heading = ""  # the keyword whose words are not a command, as in `for x in a b`
        self.heading_words: list[str] = []
        self.brackets = 0
        self.cases = 0

    def read(self) -> None:
        """Reads to the end, or to the bracket that closes the surrounding substitution."""
        text = self.text
        while self.position < self.end:
            char = text[self.position]
            if char in " \t":
                self.position += 1
            elif char == "\\" and text.startswith("\n", self.position + 1):
                self.position += 2
            elif char not in "\n;&|()<>#":
                self.add_word()
            elif char == ")" and self.nesting and not self.brackets:
                break
            else:
                self.operator(char)
        self.finish()
        self.next_in_list()

    def inner(self, begin: int, end: int) -> "Script":
        reader = Script(self.text, begin, end, self.found, None, self.values)
        reader.nesting = self.nesting
        reader.runs = self.runs
        return reader

    def substitution(self) -> None:
        folder = self.values.folder
        inner = self.inner(self.position, self.end)
        inner.heredocs = self.heredocs
        inner.arithmetic = self.arithmetic
        inner.read()
        self.values.folder = folder
        self.position = inner.position + 1
        self.end = inner.end
        self.arithmetic = inner.arithmetic

    def finish(self) -> None:
        if self.heading == "for" and len(self.heading_words) > 2:
            self.values[self.heading_words[0]] = self.heading_words[2:]
        self.heading = ""
        super().finish()

    def operator(self, char: str) -> None:
        following = self.text[self.position + 1 : self.position + 2]
        if char == "#":
            self.skip_to("\n")
        elif char in "<>" and following == "(":
            self.add_word()
        elif char in "&|()<>" and self.words and self.words[0] == "[[" and self.words[-1] != "]]":
            sign = char * 2 if following == char else char
            self.add(sign, sign)
            self.position += len(sign)
        elif char in "<>" or (char == "&" and following == ">"):
            self.redirection(self.position)
        elif char == "(":
            self.opening_bracket()
        else:
            self.separator(char, following)

    def separator(self, char: str, following: str) -> None:
        self.finish()
        self.position += 1
        if char == ")":
            if self.brackets:
                self.brackets -= 1
                self.close()
            return
        if char == "|" and following != "|":
            self.position += following == "&"
            self.next_in_pipe()
            return
        self.next_in_list()
        self.is_guarded = following == char and char in "&|"
        if char == "\n":
            self.skip_heredocs()
        elif char == ";":
            if self.cases and following in (";", "&"):
                self.position += 1
                self.pattern()
        elif following == char:
            self.position += 1

    def opening_bracket(self) -> None:
        if not self.words and self.skip_arithmetic(self.position):
            self.heading = ""  # of `for ((…)) { …; }`
            return
        function = ""
        if len(self.words) < 2 and self.text[self.position + 1 : self.position + 9].lstrip()[:1] == ")":
            function, self.function = self.function, ""  # of `function name() …`
            if self.words:
                function = self.words[0]
                define(function, self.values)
                self.drop()
        self.finish()
        self.open()
        if function:  # these brackets are not its body
            self.function = function
        self.brackets += 1
        self.position += 1

    def add(self, shown: str, content: str) -> None:
        self.words.append(shown)
        self.contents.append(content)

    def drop(self) -> None:
        self.words.clear()
        self.contents.clear()

    def add_word(self) -> None:
        start = self.position
        shown, content = self.word()
        if self.heading == "coproc" and shown in KEYWORDS:
            self.heading = ""
        if self.heading:
            self.heading_word(shown, content)
        elif shown in KEYWORDS and (not self.words or self.words == ["time"]):
            self.drop()
            self.keyword(shown)
        elif self.position < self.end and self.text[self.position] in "<>" and _is_descriptor(shown):
            self.redirection(start)
        else:
            if not self.words:
                self.is_quoted = content != self.text[start : self.position]
            self.words.append(shown)
            self.contents.append(content)

    def keyword(self, word: str) -> None:
        if word in _OPENING:
            self.open(word)
        elif word == "esac":
            self.end_case()
        elif word in _CLOSING:
            self.finish()
            self.close()
        if word in _HEADINGS or word == "coproc":
            self.heading = word
            self.heading_words = []

    def heading_word(self, word: str, content: str) -> None:
        self.heading_words.append(content)
        if self.heading == "function":
            define(word, self.values)
            self.function = word
            self.heading = ""
        elif self.heading == "case" and word == "in":
            self.heading = ""
            self.cases += 1
            self.pattern()
        elif self.heading == "coproc":
            self.heading = ""
            self.skip_blanks()
            if self.text[self.position : self.position + 1] not in ("{", "("):  # otherwise it names what follows
                self.add(word, content)
        elif word == "do" and len(self.heading_words) == 2:
            self.heading = ""  # `for x do`, over the arguments

    def pattern(self) -> None:
        """Skips the pattern of a `case` branch with its bracket, or the `esac` in its place."""
        while self.position < self.end:
            char = self.text[self.position]
            if char == ")":
                self.position += 1
                return
            if char == "#":
                self.skip_to("\n")
            elif char in " \t\n;&|<>(":
                self.position += 1
            elif self.word()[0] == "esac":
                self.end_case()
                return

    def end_case(self) -> None:
        self.cases -= self.cases > 0
        self.close()


def _is_descriptor(word: str) -> bool:
    """Whether the word before a redirection belongs to it: `2>` or `{log}>`."""
    return word.isdigit() or (word[:1] == "{" and word[-1:] == "}" and word[1:-1].isidentifier())
