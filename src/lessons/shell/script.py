"""A shell script in, its simple commands out: inner ones before the one they are part of."""

from lessons.shell.commands import Code, Command
from lessons.shell.heredocs import body_text, end_of_body
from lessons.shell.values import assign
from lessons.shell.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Input, Payload, Values

    # delimiter, whether tabs may stand before it, whether the body is taken literally, where its text goes
    Heredoc = tuple[str, bool, bool, Input]
    # what is read, what is written so far, the current part of a pipe, where its commands begin
    Frame = tuple[Input | None, list[Command], list[Command], int]

_HEADINGS = ("for", "select", "case", "function")
_OPENING = ("if", "while", "until", "for", "select", "case", "{")
_CLOSING = ("fi", "done", "esac", "}")
KEYWORDS = frozenset((*_HEADINGS, *_OPENING, *_CLOSING, "then", "elif", "else", "do", "!", "coproc"))


class Script(Words):
    """Reads one list of commands from left to right and adds each of them to `found` when it ends."""

    __slots__ = (
        "begin", "brackets", "cases", "contents", "element", "frames", "heading", "heading_words", "heredocs",
        "inherited", "input", "source", "values", "words", "written",
    )  # fmt: skip

    def __init__(
        self,
        text: str,
        position: int,
        end: int,
        found: "list[Payload]",
        source: "Input | None" = None,
        values: "Values | None" = None,
    ) -> None:
        super().__init__(text, position, end, found)
        self.heredocs: list[Heredoc] = []  # those whose bodies follow the line
        self.words: list[str] = []
        self.contents: list[str] = []
        self.input: Input | None = None  # of the command that is being read, where it has one of its own
        self.heading = ""  # the keyword whose words are no command, as in `for x in a b`
        self.heading_words: list[str] = []
        self.brackets = 0
        self.cases = 0
        self.inherited = self.source = source  # what commands read that have no input of their own
        self.element: list[Command] = []  # the current part of a pipe: one command, or all that brackets hold
        self.written: list[Command] = []  # the commands before it whose output goes the same way
        self.begin = -1  # where in `found` the brackets begin that have just been closed
        self.frames: list[Frame] = []
        self.values: Values = {} if values is None else values

    def read(self) -> None:
        """To the end, or to the bracket that closes the substitution this is a part of."""
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

    def substitution(self) -> None:
        inner = Script(self.text, self.position, self.end, self.found, None, self.values)
        inner.nesting = self.nesting
        inner.heredocs = self.heredocs
        inner.arithmetic = self.arithmetic
        inner.read()
        self.position = inner.position + 1
        self.end = inner.end
        self.arithmetic = inner.arithmetic

    def finish(self) -> None:
        if self.heading == "for" and len(self.heading_words) > 2:
            self.values[self.heading_words[0]] = self.heading_words[2:]
        self.heading = ""
        read, self.input = (self.source if self.input is None else self.input), None
        if not self.words:
            return
        command = Command(self.words, self.contents, read, self.values)
        self.found.append(command)
        self.element.append(command)
        self.words = []
        self.contents = []
        assign(command, self.values)

    def next_in_list(self) -> None:
        """What follows reads no pipe."""
        if self.element:  # else a line only ends behind its `|`
            self.written += self.element
            self.element = []
            self.source = self.frames[-1][0] if self.frames else self.inherited
        self.begin = -1

    def next_in_pipe(self) -> None:
        self.source = [*self.element]
        self.element = []
        self.begin = -1

    def open(self) -> None:
        self.frames.append((self.source, self.written, self.element, len(self.found)))
        self.written = []
        self.element = []

    def close(self) -> None:
        if self.frames:
            inside = self.written + self.element
            self.source, self.written, self.element, self.begin = self.frames.pop()
            self.element = self.element + inside

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
            return
        if len(self.words) == 1 and self.text[self.position + 1 : self.position + 9].lstrip()[:1] == ")":
            self.drop()  # the name of a function
        self.finish()
        self.open()
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
            self.words.append(shown)
            self.contents.append(content)

    def keyword(self, word: str) -> None:
        if word in _OPENING:
            self.open()
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
            self.heading = ""
        elif self.heading == "case" and word == "in":
            self.heading = ""
            self.cases += 1
            self.pattern()
        elif self.heading == "coproc":
            self.heading = ""
            self.skip_blanks()
            if self.text[self.position : self.position + 1] not in ("{", "("):  # else the name of what follows
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

    def redirection(self, start: int) -> None:
        text = self.text
        begin = position = self.position + (text[self.position] == "&")
        while position < self.end and text[position] in "<>" and position - begin < 3:
            position += 1
        sign = text[begin:position]
        tabs = sign == "<<" and text.startswith("-", position)
        if tabs or (sign in ("<", ">") and text[position : position + 1] in ("&", "|")):
            position += 1
        shown = text[start:position]
        self.position = position
        self.skip_blanks()
        target = self.position
        word, content = self.word()
        texts: Input = []
        if sign == "<<" and self.position > target:
            self.heredocs.append((content, tabs, content != text[target : self.position], texts))
        elif sign == "<<<":
            texts.append(content + "\n")
        elif content[:2] == "<(":
            texts.append(Code(content[2:-1]))
        if sign[:1] == "<" and shown[:1] in ("<", "0"):
            self.reads(texts)
        self.redirected([shown, word], [shown, content], target > position)

    def reads(self, texts: "Input") -> None:
        """What the command that is being read, or all that the brackets before it hold, reads."""
        if self.words or self.begin < 0:
            self.input = texts
            return
        for inside in self.found[self.begin :]:
            if inside.input is self.source:
                inside.input = texts

    def redirected(self, shown: list[str], contents: list[str], apart: bool) -> None:
        """What is done with a redirection, sign and target; it is no part of what a trigger sees."""

    def skip_blanks(self) -> None:
        while self.position < self.end and self.text[self.position] in " \t":
            self.position += 1

    def skip_heredocs(self) -> None:
        """Heredoc bodies do not count for what is read of a script, unless commands may be inside."""
        for delimiter, tabs, literal, texts in self.heredocs:
            begin = self.position
            end, self.position = end_of_body(self.text, begin, delimiter, tabs)
            texts.append(body_text(self.text[begin:end], tabs, literal))
            if literal or not self.has_substitutions(begin, end):
                self.end = min(len(self.text), self.end + self.position - begin)
            else:
                self.read_body(begin, end)
        self.heredocs.clear()

    def has_substitutions(self, begin: int, end: int) -> bool:
        return self.text.find("$(", begin, end) >= 0 or self.text.find("`", begin, end) >= 0

    def read_body(self, begin: int, end: int) -> None:
        """The commands that the shell runs while it reads the body."""
        body = Script(self.text, begin, min(end, self.end), self.found, None, self.values)
        body.nesting = self.nesting
        while body.position < body.end:
            char = body.text[body.position]
            if char in "$`":
                body.expansion(char)
            else:
                body.position += 1 + (char == "\\")
                body.skip_to("\\$`")


def _is_descriptor(word: str) -> bool:
    """Whether a word right before a redirection belongs to it: `2>` or `{log}>`."""
    return word.isdigit() or (word[:1] == "{" and word[-1:] == "}" and word[1:-1].isidentifier())
