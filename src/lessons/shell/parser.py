"""A shell script in, its simple commands out: inner ones before the command they are part of."""

from lessons.shell.command import AT_THE_END, Code, Command, Values
from lessons.shell.lexer import Words, body_text, end_of_body
from lessons.shell.values import MOST_VALUES, assign, resolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.command import Input, Payload

    # delimiter, whether tabs may come before it, whether the body is literal, where its text goes
    Heredoc = tuple[str, bool, bool, Input]
    # input, output so far, the current part of a pipe, start of its commands, how certain it was that commands run, the
    # folder to which the shell returns
    Frame = tuple[Input | None, list[Command], list[Command], int, int, str | None]
    # the file that is written, or the commands of `>(…)` that read it, and whether the file is replaced
    Target = tuple[str, list[Payload], bool]

_HEADINGS = ("for", "select", "case", "function")
_LOOPS = ("while", "until", "for", "select")
_OPENING = ("if", "case", "{", *_LOOPS)
_CLOSING = ("fi", "done", "esac", "}")
KEYWORDS = frozenset((*_HEADINGS, *_OPENING, *_CLOSING, "then", "elif", "else", "do", "!", "coproc"))
# Of two operators in the same place the stronger wins: in `{ a; } | b` the pipe decides about `a`.
_STRENGTH = ("", ")", "\n", ";", "&&", "&", "||", "|")
# How certain it is that a command runs once, in its place.
_ONCE, _PERHAPS, _AT_ANY_TIME = range(3)
_MOST_FRAMES = 64  # blocks inside blocks whose input and output are followed


class Script(Words):
    """Reads one list of commands from left to right, and connects each with what it reads and writes."""

    __slots__ = (
        "alters", "begin", "brackets", "cases", "contents", "element", "ends", "first_word", "frames", "heading",
        "heading_words", "heredocs", "inherited", "input", "is_function", "is_guarded", "is_odd", "own",
        "redirections", "runs", "source", "target", "values", "words", "written",
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
        self.own: list[Command] = []  # of `found`, those outside substitutions
        self.values = Values() if values is None else values
        # The command being read
        self.words: list[str] = []
        self.contents: list[str] = []
        self.redirections: list[str] = []
        self.first_word = position
        self.alters = False
        self.is_odd = False
        self.input: Input | None = None  # if it has its own
        self.target: Target | None = None  # where its output goes, if redirected
        self.heredocs: list[Heredoc] = []  # those whose bodies follow the line
        # Its connections
        self.inherited = self.source = source  # the input of commands that have none of their own
        self.element: list[Command] = []  # the current part of a pipe: one command, or all commands in brackets
        self.written: list[Command] = []  # earlier commands that write to the same output
        self.begin = -1  # where in `found` the brackets start that have just been closed
        self.ends = -1  # where they end, once something is redirected
        self.runs = _ONCE
        self.is_guarded = False  # whether the command follows `&&` or `||`
        self.frames: list[Frame] = []
        # Compound commands
        self.heading = ""  # the keyword whose words are not a command, as in `for x in a b`
        self.heading_words: list[str] = []
        self.is_function = False  # whether the body of a function starts next
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
        self.note_operator(char * 2 if char in "&|" and following == char else char)
        self.position += 1
        if char == ")":
            if self.brackets:
                self.brackets -= 1
                self.close()
            return
        if char == "|" and following != "|":
            self.position += following == "&"
            self.source = [*self.element]
            self.element = []
            self.begin = -1
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

    def note_operator(self, operator: str) -> None:
        if self.own and _STRENGTH.index(operator) > _STRENGTH.index(self.own[-1].operator):
            self.own[-1].operator = operator

    # Words

    def add(self, shown: str, content: str) -> None:
        self.words.append(shown)
        self.contents.append(content)

    def add_word(self) -> None:
        start = self.position
        if not self.words:
            self.first_word = start
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

    def drop(self) -> None:
        """Forgets a keyword, or the name of a function."""
        self.is_odd = True
        self.words.clear()
        self.contents.clear()

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
        self.alters = True

    def backticks(self) -> None:
        super().backticks()
        code = self.found[-1]
        code.values, code.folder = self.values, self.values.folder
        self.alters = True

    def inner(self, begin: int, end: int) -> "Script":
        """Returns a reader for a part of the text that shares the variables."""
        reader = Script(self.text, begin, end, self.found, None, self.values)
        reader.nesting = self.nesting
        reader.runs = self.runs
        return reader

    # Compound commands

    def opening_bracket(self) -> None:
        self.is_odd = True
        if not self.words and self.skip_arithmetic(self.position):
            self.heading = ""  # of `for ((…)) { …; }`
            return
        is_function = False
        if len(self.words) < 2 and self.text[self.position + 1 : self.position + 9].lstrip()[:1] == ")":
            is_function = self.is_function or bool(self.words)  # of `name()` or `function name()`
            self.is_function = False
            self.drop()
        self.finish()
        self.open()
        self.is_function = is_function  # these brackets are not its body
        self.brackets += 1
        self.position += 1

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
            self.is_function = True
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

    def open(self, keyword: str = "") -> None:
        """Opens brackets or the block of a keyword."""
        folder = None if keyword else self.values.folder  # a subshell returns to its folder
        if self.is_function:
            self.source = []  # what its calls read is not followed
        self.frames.append((self.source, self.written, self.element, len(self.found), self.runs, folder))
        if self.is_function or keyword in _LOOPS:
            self.runs = _AT_ANY_TIME
        elif keyword not in ("", "{") or self.is_guarded:
            self.runs = max(self.runs, _PERHAPS)
        self.is_function = self.is_guarded = False
        self.written = []
        self.element = []

    def close(self) -> None:
        if self.frames:
            inside = self.written + self.element if len(self.frames) <= _MOST_FRAMES else []
            self.source, self.written, self.element, self.begin, self.runs, folder = self.frames.pop()
            self.element = self.element + inside
            if folder is not None:
                self.values.folder = folder

    # What a command reads and writes

    def finish(self) -> None:
        """Adds the command that ends here to `found`."""
        if self.heading == "for" and len(self.heading_words) > 2:
            self.values[self.heading_words[0]] = self.heading_words[2 : 2 + MOST_VALUES]
        self.heading = ""
        if self.words:
            self.finish_command()
        else:
            self.finish_brackets()
        self.redirections = []
        self.alters = False

    def finish_command(self) -> None:
        values = self.values
        command = Command(self.words, self.contents, self.source if self.input is None else self.input, values)
        values.order += 1
        command.order = AT_THE_END if self.runs == _AT_ANY_TIME else values.order
        command.folder = values.folder
        command.begin, command.end = self.first_word, self.position
        command.is_nested, command.is_odd = self.nesting > 0, self.is_odd
        command.redirections, command.alters = self.redirections, self.alters
        if self.redirections:
            _note_effects(command)
        if self.target:
            name, readers, replaces = self.target
            writer = command.redirected()
            _feed(readers, [writer])
            if not readers:
                values.write(name, writer, replaces)
        if self.words[0] == "tee":
            codes = [content[2:-1] for content in self.contents if content[:2] == ">("]
            writer = command.behind(0)
            self.found += [Code(code, [writer], values) for code in codes]
        self.input = self.target = None
        self.found.append(command)
        self.own.append(command)
        self.element.append(command)
        self.words = []
        self.contents = []
        assign(command, values, self.is_certain())

    def is_certain(self) -> bool:
        """Whether the command runs once and before those that follow."""
        return self.runs == _ONCE and not self.is_guarded and not self.nesting

    def finish_brackets(self) -> None:
        """Redirects the commands of the closed brackets; without brackets the redirection only empties a file."""
        inside = self.found[self.begin : self.ends] if self.ends >= 0 and len(self.frames) < _MOST_FRAMES else []
        for payload in inside if self.input is not None else ():
            if payload.input is self.source:
                payload.input = self.input
        if self.target:
            name, readers, replaces = self.target
            if replaces and not readers:
                self.values.write(name, Command([], [], []), replaces)
            writers = [one.redirected() for one in inside if isinstance(one, Command) and one.output is None]
            _feed(readers, [*writers])
            for writer in () if readers else writers:
                self.values.write(name, writer, False)
        self.ends = -1
        self.input = self.target = None

    def next_in_list(self) -> None:
        """Starts the next list: the following command reads no pipe."""
        if self.element:  # otherwise the line only breaks after its `|`
            self.written += self.element
            self.element = []
            self.source = self.frames[-1][0] if self.frames else self.inherited
        self.begin = -1

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
        target, before = self.position, len(self.found)
        word, content = self.word()
        self.redirections.append("".join(text[start : self.position].split()))
        texts: Input = []
        if sign == "<<" and self.position > target:
            self.heredocs.append((content, tabs, content != text[target : self.position], texts))
        elif sign == "<<<":
            texts.append(content + "\n")
        elif content[:2] == "<(":
            texts.append(Code(content[2:-1], None, self.values))
        elif sign == "<" and content:
            reader = Command(["cat", word], ["cat", content], [], self.values)
            self.values.order += 1
            reader.order = AT_THE_END if self.runs == _AT_ANY_TIME else self.values.order
            reader.folder = self.values.folder
            texts.append(reader)
        if sign[:1] == "<" and shown[:1] in ("<", "0"):
            self.input = texts
        elif sign[:1] == ">" and shown[:1] in (">", "1", "&"):
            replaces = sign == ">" and self.is_certain()
            self.target = (resolved(content, self.values), self.found[before:], replaces)
        else:
            return
        if self.begin >= 0 and not self.words and self.ends < 0:
            self.ends = before  # it applies to all commands in the brackets before it

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


def _feed(readers: "list[Payload]", read: "Input") -> None:
    """Sets the input of all readers that have none of their own."""
    for reader in readers:
        if reader.input is None:
            reader.input = read


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
