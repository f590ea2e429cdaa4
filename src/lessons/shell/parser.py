"""A shell script in, its simple commands out: inner ones before the command they are part of."""

from lessons.shell.command import Command, Known
from lessons.shell.lexer import Words, body_text, end_of_body

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.command import Input, Payload

    # delimiter, whether tabs may come before it, whether the body is literal, where its text goes
    Heredoc = tuple[str, bool, bool, list[str]]

_HEADINGS = ("for", "select", "case", "function")
KEYWORDS = frozenset((*_HEADINGS, *"if then elif else fi while until do done esac { } ! coproc".split()))
# Of two operators in the same place the stronger wins: in `{ a; } | b` the pipe decides about `a`.
_STRENGTH = ("", ")", "\n", ";", "&&", "&", "||", "|")


class Script(Words):
    """Reads one list of commands from left to right, and connects each with what it reads and writes."""

    __slots__ = (
        "alters", "brackets", "cases", "contents", "first_word", "heading", "heading_words", "heredocs", "inherited",
        "input", "is_odd", "known", "own", "piped", "redirections", "replaces", "target", "words",
    )  # fmt: skip

    def __init__(
        self,
        text: str,
        position: int,
        end: int,
        found: "list[Payload]",
        source: "Input" = None,
        known: Known | None = None,
    ) -> None:
        super().__init__(text, position, end, found)
        self.own: list[Command] = []  # of `found`, those outside substitutions
        self.known = Known(known)
        self.heredocs: list[Heredoc] = []  # those whose bodies follow the line
        self.inherited = source  # the input of commands that have none of their own
        self.piped: Input = source  # the same of the next command
        # The command being read
        self.words: list[str] = []
        self.contents: list[str] = []
        self.redirections: list[str] = []
        self.first_word = position
        self.alters = False
        self.is_odd = False
        self.input: Input = None  # if it has its own
        self.target = ""  # the file to which its output goes
        self.replaces = False  # whether that file is emptied first
        # Compound commands
        self.heading = ""  # the keyword whose words are not a command, as in `for x in a b`
        self.heading_words = 0
        self.brackets: list[dict[str, str]] = []  # of each that is open, the variables before it
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
        operator = char * 2 if char in "&|" and following == char else char
        if self.own and _STRENGTH.index(operator) > _STRENGTH.index(self.own[-1].operator):
            self.own[-1].operator = operator
        self.position += len(operator)
        if operator in ("|", "&") and self.own:
            self.known.variables = self.own[-1].known.variables  # it runs in a shell of its own
        if operator == ")" and self.brackets:
            self.known.variables = self.brackets.pop()
        elif operator == "|":
            self.position += following == "&"
            self.piped = self.own[-1] if self.own and not self.own[-1].target else None
        elif operator == "\n":
            self.skip_heredocs()
        elif operator == ";" and self.cases and following in (";", "&"):
            self.position += 1
            self.pattern()

    # Words

    def add(self, shown: str, content: str) -> None:
        self.words.append(shown)
        self.contents.append(content)

    def add_word(self) -> None:
        start = self.position
        if not self.words:
            self.first_word = start
        shown, content = self.word()
        if self.heading:
            self.heading_word(shown)
        elif shown in KEYWORDS and (not self.words or self.words == ["time"]):
            self.drop()
            self.cases -= shown == "esac" and self.cases > 0
            if shown in _HEADINGS:
                self.heading = shown
                self.heading_words = 0
        elif self.position < self.end and self.text[self.position] in "<>" and _is_descriptor(shown):
            self.redirection(start)
        else:
            self.add(shown, content)

    def drop(self) -> None:
        """Forgets a keyword, or the name of a function."""
        self.is_odd = True
        self.words.clear()
        self.contents.clear()

    def substitution(self) -> None:
        inner = self.inner(self.position, self.end)
        inner.heredocs = self.heredocs
        inner.arithmetic = self.arithmetic
        inner.read()
        self.position = inner.position + 1
        self.end = inner.end
        self.arithmetic = inner.arithmetic
        self.alters = True

    def backticks(self) -> None:
        super().backticks()
        self.found[-1].known = Known(self.known)
        self.alters = True

    def inner(self, begin: int, end: int) -> "Script":
        """Returns a reader for a part of the text."""
        reader = Script(self.text, begin, end, self.found, None, self.known)
        reader.nesting = self.nesting
        return reader

    # Compound commands

    def opening_bracket(self) -> None:
        self.is_odd = True
        if not self.words and self.skip_arithmetic(self.position):
            self.heading = ""  # of `for ((…)) { …; }`
            return
        if len(self.words) < 2 and self.text[self.position + 1 : self.position + 9].lstrip()[:1] == ")":
            self.drop()  # `name()`
        self.finish()
        self.brackets.append(self.known.variables)
        self.position += 1

    def heading_word(self, word: str) -> None:
        self.heading_words += 1
        if self.heading == "function":
            self.heading = ""
        elif self.heading == "case" and word == "in":
            self.heading = ""
            self.cases += 1
            self.pattern()
        elif word == "do" and self.heading_words == 2:
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
                self.cases -= self.cases > 0
                return

    # What a command reads and writes

    def finish(self) -> None:
        """Adds the command that ends here to `found`."""
        self.heading = ""
        if self.words:
            command = Command(
                self.words, self.contents, self.piped if self.input is None else self.input, Known(self.known)
            )
            command.begin, command.end = self.first_word, self.position
            command.is_odd, command.alters = self.is_odd, self.alters
            command.redirections, command.target = self.redirections, self.target
            if self.redirections:
                _note_effects(command)
            self.found.append(command)
            self.own.append(command)
            self.known.record(command, self.replaces)
            self.words = []
            self.contents = []
            self.piped = self.inherited
        elif self.target and self.replaces:
            self.known.write(self.target, [], True)  # it is emptied, or gets the output of a compound command
        self.input = None
        self.target = ""
        self.redirections = []
        self.alters = False

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
        self.redirections.append("".join(text[start : self.position].split()))
        texts: list[str] = []
        read: Input = texts
        if sign == "<<" and self.position > target:
            self.heredocs.append((content, tabs, content != text[target : self.position], texts))
        elif sign == "<<<":
            texts.append(content + "\n")
        elif sign == "<" and content:
            read = Command(["cat", word], ["cat", content], None, Known(self.known))
        if sign[:1] == "<" and shown[:1] in ("<", "0"):
            self.input = read
        elif sign[:1] == ">" and shown[:1] in (">", "1", "&"):
            self.target, self.replaces = content, sign == ">"

    def skip_heredocs(self) -> None:
        """Skips heredoc bodies, which do not count towards the limit of a script unless they may contain commands."""
        text = self.text
        for delimiter, tabs, literal, texts in self.heredocs:
            begin = self.position
            end, self.position = end_of_body(text, begin, delimiter, tabs)
            texts.append(body_text(text[begin:end], tabs, literal))
            if literal or (text.find("$(", begin, end) < 0 and text.find("`", begin, end) < 0):
                self.end = min(len(text), self.end + self.position - begin)
            else:
                self.read_body(begin, end)
                if self.own:
                    self.own[-1].alters = True
        self.heredocs.clear()

    def read_body(self, begin: int, end: int) -> None:
        """Reads the commands that the shell runs while it expands the body."""
        body = self.inner(begin, min(end, self.end))
        while body.position < body.end:
            char = body.text[body.position]
            if char in "$`":
                body.expansion(char)
            else:
                body.position += 1 + (char == "\\")
                body.skip_to("\\$`")


def _note_effects(command: Command) -> None:
    """Records whether its redirections write to a file, and whether they hide its errors."""
    is_quiet = False
    for written in command.redirections:
        if written.endswith("/dev/null"):
            is_quiet = is_quiet or written[0] in ">1"
            command.hides_errors = command.hides_errors or written[0] in "2&"
        elif written.startswith("2>&1"):
            command.hides_errors = command.hides_errors or is_quiet
        elif ">" in written and ">&" not in written:
            command.alters = True


def _is_descriptor(word: str) -> bool:
    """Whether the word before a redirection belongs to it: `2>` or `{log}>`."""
    return word.isdigit() or (word[:1] == "{" and word[-1:] == "}" and word[1:-1].isidentifier())
