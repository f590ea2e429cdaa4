"""What flows where: the words of commands, what each reads and writes, heredocs and other redirections."""

from lessons.shell.commands import Code, Command, Values, feed
from lessons.shell.heredocs import body_text, end_of_body
from lessons.shell.values import assign
from lessons.shell.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Input, Payload

    # delimiter, whether tabs may stand before it, whether the body is taken literally, where its text goes
    Heredoc = tuple[str, bool, bool, Input]
    # what is read, what is written so far, the current part of a pipe, where its commands begin, whose body it is
    Frame = tuple[Input | None, list[Command], list[Command], int, str]
    Target = tuple[str, list[Payload]]  # the file that is written, or the commands of `>(…)` that read it


class Flow(Words):
    """The command that is being read, and how it is connected with those around it."""

    __slots__ = (
        "begin", "contents", "element", "frames", "function", "heredocs", "inherited", "input", "source", "targets",
        "values", "words", "written",
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
        self.targets: list[Target] = []  # where its output goes, if not the usual way
        self.inherited = self.source = source  # what commands read that have no input of their own
        self.element: list[Command] = []  # the current part of a pipe: one command, or all that brackets hold
        self.written: list[Command] = []  # the commands before it whose output goes the same way
        self.begin = -1  # where in `found` the brackets begin that have just been closed
        self.frames: list[Frame] = []
        self.function = ""  # whose body begins next
        self.values = Values() if values is None else values

    def finish(self) -> None:
        """Adds the command that ends here."""
        read, self.input = (self.source if self.input is None else self.input), None
        targets, self.targets = self.targets, []
        if not self.words:
            return
        command = Command(self.words, self.contents, read, self.values)
        for target in targets:
            command.write_to(target)
        if read and self.words[0] in self.values.functions:
            feed([*self.values.functions[self.words[0]]], read)
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
        self.frames.append((self.source, self.written, self.element, len(self.found), self.function))
        self.function = ""
        self.written = []
        self.element = []

    def close(self) -> None:
        if self.frames:
            inside = self.written + self.element
            self.source, self.written, self.element, self.begin, function = self.frames.pop()
            self.element = self.element + inside
            if function:
                self.values.functions[function] = inside

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
            texts.append(Code(content[2:-1]))
        if sign[:1] == "<" and shown[:1] in ("<", "0"):
            self.reads(texts)
        elif sign[:1] == ">" and shown[:1] in (">", "1", "&"):
            self.writes((content, self.found[before:]))
        self.redirected([shown, word], [shown, content], target > position)

    def reads(self, texts: "Input") -> None:
        """What the command that is being read, or all that the brackets before it hold, reads."""
        if self.words or self.begin < 0:
            self.input = texts
            return
        for inside in self.found[self.begin :]:
            if inside.input is self.source:
                inside.input = texts

    def writes(self, target: "Target") -> None:
        """What they write goes into a file, or to the commands of `>(…)`."""
        if self.begin < 0 or self.words:
            self.targets.append(target)
            return
        for inside in self.found[self.begin :]:
            if isinstance(inside, Command) and inside not in target[1]:
                inside.write_to(target)

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

    def inner(self, begin: int, end: int) -> "Flow":
        """A reader for a part of the text, with variables in common."""
        raise NotImplementedError

    def has_substitutions(self, begin: int, end: int) -> bool:
        return self.text.find("$(", begin, end) >= 0 or self.text.find("`", begin, end) >= 0

    def read_body(self, begin: int, end: int) -> None:
        """The commands that the shell runs while it reads the body."""
        body = self.inner(begin, min(end, self.end))
        while body.position < body.end:
            char = body.text[body.position]
            if char in "$`":
                body.expansion(char)
            else:
                body.position += 1 + (char == "\\")
                body.skip_to("\\$`")
