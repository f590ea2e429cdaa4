"""Connects commands: their words, what each reads and writes, heredocs and other redirections."""

from lessons.shell.commands import Code, Command, Values, feed
from lessons.shell.heredocs import body_text, end_of_body
from lessons.shell.values import assign, resolved
from lessons.shell.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Input, Payload

    # delimiter, whether tabs may come before it, whether the body is literal, where its text goes
    Heredoc = tuple[str, bool, bool, Input]
    # input, output so far, the current part of a pipe, start of its commands, the function whose body it is, how
    # certain it was that commands run, the folder to which the shell returns
    Frame = tuple[Input | None, list[Command], list[Command], int, str, int, str | None]
    # the file that is written, or the commands of `>(…)` that read it, and whether the file is replaced
    Target = tuple[str, list[Payload], bool]

# How certain it is that a command runs once, in its place.
_ONCE, _PERHAPS, _AT_ANY_TIME = range(3)


class Flow(Words):
    """The command being read, and its connections to the commands around it."""

    __slots__ = (
        "begin", "contents", "element", "ends", "frames", "function", "heredocs", "inherited", "input", "is_guarded",
        "is_quoted", "runs", "source", "target", "values", "words", "written",
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
        self.input: Input | None = None  # of the command being read, if it has its own
        self.target: Target | None = None  # where its output goes, if redirected
        self.is_quoted = False  # whether the name of its program is quoted
        self.inherited = self.source = source  # the input of commands that have none of their own
        self.element: list[Command] = []  # the current part of a pipe: one command, or all commands in brackets
        self.written: list[Command] = []  # earlier commands that write to the same output
        self.begin = -1  # where in `found` the brackets start that have just been closed
        self.ends = -1  # where they end, once something is redirected
        self.runs = _ONCE
        self.is_guarded = False  # whether the command follows `&&` or `||`
        self.frames: list[Frame] = []
        self.function = ""  # the function whose body starts next
        self.values = Values() if values is None else values

    def finish(self) -> None:
        """Adds the command that ends here to `found`."""
        if not self.words:
            self.finish_brackets()
            return
        read, self.input = (self.source if self.input is None else self.input), None
        command = Command(self.words, self.contents, read, self.values)
        command.is_quoted = self.is_quoted
        command.runs_in(self.values, self.runs == _AT_ANY_TIME)
        if self.target:
            name, readers, replaces = self.target
            writer = command.redirected()
            feed(readers, [writer])
            if not readers:
                self.values.write(name, writer, replaces)
            self.target = None
        if self.words[0] in self.values.functions and read is not None:
            self.values.functions[self.words[0]][1].append(Command(["cat"], ["cat"], read, self.values))
        if self.words[0] == "tee":
            codes = [content[2:-1] for content in self.contents if content[:2] == ">("]
            writer = command.behind(0)
            self.found += [Code(code, [writer], self.values) for code in codes]
        self.found.append(command)
        self.element.append(command)
        self.words = []
        self.contents = []
        assign(command, self.values, self.is_certain())

    def is_certain(self) -> bool:
        """Whether the command runs once and before those that follow."""
        return self.runs == _ONCE and not self.is_guarded and not self.nesting

    def finish_brackets(self) -> None:
        """Redirects the commands of the closed brackets; without brackets the redirection only empties a file."""
        inside = self.found[self.begin : self.ends] if self.ends >= 0 else []
        if self.values.effort.spend(len(inside)):
            self.redirect(inside)
        self.ends = -1
        self.input = self.target = None

    def redirect(self, inside: "list[Payload]") -> None:
        if self.input is not None:
            for payload in inside:
                if payload.input is self.source:
                    payload.input = self.input
        if self.target:
            name, readers, replaces = self.target
            if replaces and not readers:
                self.values.write(name, Command([], [], []), replaces)
            writers = [one.redirected() for one in inside if isinstance(one, Command) and one.output is None]
            feed(readers, [*writers])
            for writer in () if readers else writers:
                self.values.write(name, writer, False)

    def next_in_list(self) -> None:
        """Starts the next list: the following command reads no pipe."""
        if self.element:  # otherwise the line only breaks after its `|`
            self.written += self.element
            self.element = []
            self.source = self.frames[-1][0] if self.frames else self.inherited
        self.begin = -1

    def next_in_pipe(self) -> None:
        self.source = [*self.element]
        self.element = []
        self.begin = -1

    def open(self, keyword: str = "") -> None:
        """Opens brackets or the block of a keyword."""
        folder = None if keyword else self.values.folder  # a subshell returns to its folder
        if self.function:
            self.source = []  # filled with what its calls read
        self.frames.append((self.source, self.written, self.element, len(self.found), self.function, self.runs, folder))
        if self.function or keyword in ("while", "until", "for", "select"):
            self.runs = _AT_ANY_TIME
        elif keyword not in ("", "{") or self.is_guarded:
            self.runs = max(self.runs, _PERHAPS)
        self.function = ""
        self.is_guarded = False
        self.written = []
        self.element = []

    def close(self) -> None:
        if self.frames:
            inside = self.written + self.element
            self.source, self.written, self.element, self.begin, function, self.runs, folder = self.frames.pop()
            if not self.values.effort.spend(len(inside)):
                inside = []
            self.element = self.element + inside
            if folder is not None:
                self.values.folder = folder
            if function:
                self.values.functions[function] = (inside, [] if self.source is None else self.source)

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
        texts: Input = []
        if sign == "<<" and self.position > target:
            self.heredocs.append((content, tabs, content != text[target : self.position], texts))
        elif sign == "<<<":
            texts.append(content + "\n")
        elif content[:2] == "<(":
            texts.append(Code(content[2:-1], None, self.values))
        elif sign == "<" and content:
            reader = Command(["cat", word], ["cat", content], [], self.values)
            reader.runs_in(self.values, self.runs == _AT_ANY_TIME)
            texts.append(reader)
        if sign[:1] == "<" and shown[:1] in ("<", "0"):
            self.reads(texts, before)
        elif sign[:1] == ">" and shown[:1] in (">", "1", "&"):
            replaces = sign == ">" and self.is_certain()
            self.writes((resolved(content, self.values), self.found[before:], replaces), before)
        self.redirected([shown, word], [shown, content], target > position)

    def reads(self, texts: "Input", before: int) -> None:
        """Sets the input of the command being read, or of all commands in the brackets before it."""
        self.input = texts
        self.end_brackets(before)

    def writes(self, target: "Target", before: int) -> None:
        """Sends their output to a file, or to the commands of `>(…)`."""
        self.target = target
        self.end_brackets(before)

    def end_brackets(self, before: int) -> None:
        """Records where the commands of the brackets end whose redirections are being read."""
        if self.begin >= 0 and not self.words and self.ends < 0:
            self.ends = before

    def redirected(self, shown: list[str], contents: list[str], apart: bool) -> None:
        """Hook for subclasses: handles a redirection, sign and target. Triggers do not see redirections."""

    def skip_blanks(self) -> None:
        while self.position < self.end and self.text[self.position] in " \t":
            self.position += 1

    def skip_heredocs(self) -> None:
        """Skips heredoc bodies, which do not count towards the limit of a script unless they may contain commands."""
        for delimiter, tabs, literal, texts in self.heredocs:
            begin = self.position
            end, self.position = end_of_body(self.text, begin, delimiter, tabs)
            texts.append(body_text(self.text[begin:end], tabs, literal))
            if literal or not self.has_substitutions(begin, end):
                self.end = min(len(self.text), self.end + self.position - begin)
            else:
                self.read_body(begin, end)
        self.heredocs.clear()

    def inner(self, begin: int, end: int) -> "Flow":
        """Returns a reader for a part of the text that shares the variables."""
        raise NotImplementedError

    def backticks(self) -> None:
        super().backticks()
        code = self.found[-1]
        code.values, code.folder = self.values, self.values.folder

    def has_substitutions(self, begin: int, end: int) -> bool:
        return self.text.find("$(", begin, end) >= 0 or self.text.find("`", begin, end) >= 0

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
